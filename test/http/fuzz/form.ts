/* multipart/form-data bodies and their faults. */
import { oddTexts } from './oddities.ts';

export const FORM = 'multipart/form-data';

const BOUNDARY = 'a-boundary-of-the-fuzzer';

/** A list is a repeated name; bytes are a file. */
export type Form = Record<string, unknown>;

export const FORM_TYPE = `${FORM}; boundary=${BOUNDARY}`;

export function toForm(form: Form): Buffer {
  const parts = Object.entries(form).flatMap(([name, values]) =>
    [values].flat().map((value) => toPart(name, value)),
  );
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function toPart(name: string, value: unknown): Buffer {
  const isFile = value instanceof Uint8Array;
  const head = `content-disposition: form-data; name="${name}"${isFile ? '; filename="file"' : ''}`;
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    isFile ? value : Buffer.from(String(value).toWellFormed()),
    Buffer.from('\r\n'),
  ]);
}

/** The form with one change, and whether it must be refused. */
export function spoilForm(
  form: Form,
  required: string[],
  pick: number,
  how: number,
): { form: Form; what: string; isWrong: boolean } {
  const names = Object.keys(form);
  const name = names[pick % names.length]!;
  switch (how % 4) {
    case 0: {
      const { [name]: _left, ...others } = form;
      return { form: others, what: `without ${name}`, isWrong: required.includes(name) };
    }
    case 1:
      return {
        form: { ...form, [name]: [form[name], form[name]] },
        what: `${name} comes twice`,
        isWrong: true,
      };
    case 2: {
      const text = oddTexts[how % oddTexts.length]!;
      return { form: { ...form, [name]: text }, what: `${name} is ${text}`, isWrong: false };
    }
    default:
      return {
        form: { ...form, [name]: Buffer.from('GIF89a') },
        what: `${name} is a file of another kind`,
        isWrong: false,
      };
  }
}
