import { problem } from '../../errors.ts';

/** Far more than any form needs. Parsing a body of tiny parts would block the event loop. */
const MAX_PARTS = 50;

/**
 * Fields by name: text or file, or a list for a repeated name. Throws a 422 for a malformed form.
 */
export async function readForm(
  body: Buffer,
  contentType = '',
): Promise<Record<string, FormDataEntryValue | FormDataEntryValue[]>> {
  checkParts(body, contentType);
  const form = await parse(body, contentType);
  const names = new Set(form.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const [value, ...otherValues] = form.getAll(name);
      return [name, otherValues.length > 0 ? [value!, ...otherValues] : value!];
    }),
  );
}

async function parse(body: Buffer, contentType: string): Promise<FormData> {
  const headers = { 'content-type': contentType };
  try {
    return await new Response(new Uint8Array(body), { headers }).formData();
  } catch {
    throw problem('multipart_invalid', ['body'], 'The body is not valid multipart/form-data', null);
  }
}

function checkParts(body: Buffer, contentType: string): void {
  const [, boundary] = /boundary="?([^";]+)/i.exec(contentType) ?? [];
  if (boundary === undefined) return;
  let at = -1;
  for (let parts = 0; (at = body.indexOf(`--${boundary}`, at + 1)) >= 0; parts += 1) {
    if (parts <= MAX_PARTS) continue;
    const text = `The form should have at most ${MAX_PARTS} parts`;
    throw problem('too_long', ['body'], text, null);
  }
}
