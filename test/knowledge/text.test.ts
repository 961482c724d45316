import { describe, expect, test } from 'vitest';
import { readText } from '../../src/knowledge/text.ts';

async function* parts(...bytes: (string | number[])[]): AsyncGenerator<Uint8Array> {
  for (const part of bytes) yield Buffer.from(part as string);
}

async function textOf(
  format: 'text' | 'pdf',
  pdfs: Parameters<typeof readText>[1],
  ...bytes: (string | number[])[]
): Promise<string> {
  const file = { format, accountId: 'account', size: 10, open: () => parts(...bytes) };
  let text = '';
  for await (const part of (await readText(file, pdfs)).parts) text += part;
  return text;
}

const noPdfs = { read: () => Promise.reject(new Error('no PDF here')) };
const read = (...bytes: (string | number[])[]) => textOf('text', noPdfs, ...bytes);

describe('text', () => {
  test('is joined across chunks that split a character', async () => {
    const [first = 0, second = 0] = Buffer.from('é');

    expect(await read('caf', [first], [second, 33])).toBe('café!');
  });

  test('excludes the byte order mark', async () => {
    expect(await read([0xef, 0xbb, 0xbf], 'hello')).toBe('hello');
  });

  test.each([
    { what: 'another encoding', bytes: [[0x63, 0xe9, 0x21]], says: 'not valid UTF-8' },
    { what: 'half a letter at the end', bytes: ['a', [0xc3]], says: 'not valid UTF-8' },
    { what: 'a NUL', bytes: ['a\0b'], says: 'NUL' },
  ])('is not $what', async ({ bytes, says }) => {
    const reading = read(...bytes);

    await expect(reading).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(says),
    });
  });

  test('of a PDF comes from the PDF reader', async () => {
    const pdfs = { read: async (accountId: string) => `from a PDF of ${accountId}` };

    expect(await textOf('pdf', pdfs, '%PDF')).toBe('from a PDF of account');
  });
});
