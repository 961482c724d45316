import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { Fault, problem } from '../../errors.ts';
import { textOf, tooManyValues } from './body-text.ts';

/** Far more than any form needs. */
const MAX_PARTS = 50;
const MAX_NAME = 200;
const LIMITS = { parts: MAX_PARTS, headerPairs: 20, headerSize: 8 * 1024 };

/** A file of a form. Its bytes are no field: what walks or logs a body leaves them out. */
export class FormFile {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }
}

type FormValue = string | FormFile;
/** Fields by name; a list for a repeated name. */
export type Form = Record<string, FormValue | FormValue[]>;

/** Throws a 422 for a malformed form. */
export async function readForm(pieces: AsyncIterable<Buffer>, contentType: string): Promise<Form> {
  const parser = parserOf(contentType);
  const parts: Promise<{ name: string; value: FormValue }>[] = [];
  parser.on('file', (name, stream, fileName, _encoding, type) => {
    const reading = readPart(stream).then((bytes) => ({ name, value: valueOf(bytes) }));
    // It is awaited at the end. Without this, a form that breaks off would end the process.
    reading.catch(() => {});
    parts.push(reading);
    const valueOf = (bytes: Buffer) =>
      isFile(fileName, type) ? new FormFile(bytes) : textOf(bytes);
    if (typeof name !== 'string' || name.length > MAX_NAME) parser.destroy(invalid());
  });
  // Ends the work at once: the rest of the form is not read.
  parser.on('partsLimit', () => parser.destroy(tooManyValues('parts', MAX_PARTS)));
  try {
    await pipeline(Readable.from(pieces, { objectMode: false }), parser);
    return toForm(await Promise.all(parts));
  } catch (error) {
    throw error instanceof Fault ? error : invalid();
  }
}

function parserOf(contentType: string) {
  try {
    // As a file, a part is handed out in its bytes: a field may not be UTF-8.
    const headers = { 'content-type': contentType };
    return new Busboy({ headers, limits: LIMITS, isPartAFile: () => true });
  } catch {
    throw invalid();
  }
}

async function readPart(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Some clients send files without a name. */
const isFile = (fileName: string | undefined, type: string): boolean =>
  fileName !== undefined || !/^(text\/|application\/json$)/.test(type);

function toForm(parts: { name: string; value: FormValue }[]): Form {
  const byName = Map.groupBy(parts, ({ name }) => name);
  return Object.fromEntries(
    [...byName].map(([name, sameName]) => {
      const [value, ...otherValues] = sameName.map((part) => part.value);
      return [name, otherValues.length > 0 ? [value!, ...otherValues] : value!];
    }),
  );
}

const invalid = () =>
  problem('multipart_invalid', ['body'], 'The body is not valid multipart/form-data', null);
