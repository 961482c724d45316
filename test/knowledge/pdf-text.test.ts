import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PdfReader } from '../../src/knowledge/pdf-reader.ts';
import { pdfInNamedFont, pdfOfPages, pdfSaying, streamOf } from '../support/api/pdf.ts';
import { TestClock } from '../support/test-clock.ts';

let reader: PdfReader;
beforeAll(() => {
  // Time stands still: a busy machine would take longer than the limit.
  reader = new PdfReader(new TestClock());
});
afterAll(() => reader.close());

async function* bytesOf(pdf: Buffer) {
  yield pdf;
}

const at = (x: number, y: number, text: string) => `BT /F 12 Tf ${x} ${y} Td (${text}) Tj ET `;

/** Lines of a left and a right column, drawn line by line. */
const inColumns = (...lines: [left: string, right: string][]) =>
  pdfOfPages([
    streamOf(
      lines
        .map(([left, right], row) => at(72, 720 - 20 * row, left) + at(320, 720 - 20 * row, right))
        .join(''),
    ),
  ]);

const textOf = (pdf: Buffer) => reader.read('account', () => bytesOf(pdf));

describe('the text of a PDF', () => {
  test.each([
    ['GBK-EUC-H', 'STSong-Light', 'GB1', 'c4e3bac3a3accda3b3b5b3a1', '你好，停车场'],
    ['UniGB-UCS2-H', 'STSong-Light', 'GB1', '4f60597dff0c505c8f66573a', '你好，停车场'],
    ['ETen-B5-H', 'MSung-Light', 'CNS1', 'b0b1a8aeb3f5a74bb64f', '停車場免費'],
    ['90ms-RKSJ-H', 'HeiseiMin-W3', 'Japan1', '92938ed48fea82cd96b397bf', '駐車場は無料'],
    ['UniJIS-UTF16-H', 'HeiseiKakuGo-W5', 'Japan1', '99d08eca5834306f71216599', '駐車場は無料'],
    ['KSCms-UHC-H', 'HYSMyeongJo-Medium', 'Korea1', 'c1d6c2f7c0e5c0ba20b9abb7e1', '주차장은 무료'],
  ])('has the letters of %s beside Latin ones', async (encoding, font, ordering, codes, text) => {
    const pdf = pdfInNamedFont({ font, encoding, ordering }, codes);

    expect(await textOf(pdf)).toBe(`Parking\n${text}`);
  });

  test('goes down one column after the other, with whole words', async () => {
    const pdf = inColumns(
      ['The shop is open from Mon-', 'Parking costs two euros for'],
      ['day to Friday and has a well-', 'each hour and is free on'],
      ['known bakery in it.', 'Sundays.'],
    );

    expect(await textOf(pdf)).toBe(
      'The shop is open from Monday to Friday and has a well-known bakery in it.\nParking costs two euros for\neach hour and is free on\nSundays.',
    );
  });

  test('goes along the rows of a table', async () => {
    const pdf = inColumns(['Item', 'Price'], ['Eggs', '2.00'], ['Milk', '1.00']);

    expect(await textOf(pdf)).toBe('Item Price\nEggs 2.00\nMilk 1.00');
  });

  test('has the values of a form beside their labels', async () => {
    const blank = pdfOfPages([streamOf(at(72, 720, 'Name:') + at(72, 700, 'Member'))], {
      objects: [
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /V (Ada) /Rect [120 715 300 735] >>',
        '<< /Type /Annot /Subtype /Widget /FT /Btn /T (m) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >> /Rect [50 698 60 710] >>',
        '<< /Type /Annot /Subtype /FreeText /Contents (paid) /Rect [120 695 300 712] >>',
      ],
    });
    const filled = blank
      .toString('latin1')
      .replace('/Contents 5', '/Annots [6 0 R 7 0 R 8 0 R] /Contents 5');

    expect(await textOf(Buffer.from(filled, 'latin1'))).toBe('Name: Ada\n[x] Member paid');
  });

  test.each([0.5, 0.8, 0.95, 0.99])(
    'is what is there of %s of a PDF, with a warning',
    async (share) => {
      const pdf = pdfSaying(...Array.from({ length: 20 }, (_, page) => `This is page ${page}.`));
      const warnings: string[] = [];

      const text = await reader.read(
        'account',
        () => bytesOf(pdf.subarray(0, Math.floor(share * pdf.length))),
        (warning) => warnings.push(warning),
      );

      expect(text).toContain('This is page 0.\n\nThis is page 1.');
      expect(warnings).toEqual([expect.stringContaining('part of its text may be missing')]);
    },
  );

  test('comes without a warning from a whole PDF', async () => {
    const warnings: string[] = [];

    await reader.read(
      'account',
      () => bytesOf(pdfSaying('All of it.')),
      (warning) => warnings.push(warning),
    );

    expect(warnings).toEqual([]);
  });
});
