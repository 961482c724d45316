import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PdfReader } from '../../src/knowledge/pdf-reader.ts';
import { deflated, pdfInNamedFont, pdfOfPages, pdfSaying, streamOf } from '../support/api/pdf.ts';
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

const fullPage = (number: number) =>
  Array.from({ length: 40 }, (_, row) =>
    at(72, 760 - 16 * row, `Page ${number} has line ${(number * 7919 + row * 104_729) % 9973}`),
  ).join('');

/** The first page's annotations by their entries. Widgets, unless they say otherwise. */
function form(content: string, ...fields: string[]): Buffer {
  const objects = fields.map((entries) => {
    const subtype = entries.includes('/Subtype') ? '' : '/Subtype /Widget';
    return `<< /Type /Annot ${subtype} ${entries} >>`;
  });
  const references = objects.map((_, index) => `${6 + index} 0 R`).join(' ');
  const blank = pdfOfPages([streamOf(content)], { objects }).toString('latin1');
  return Buffer.from(blank.replace('/Contents 5', `/Annots [${references}] /Contents 5`), 'latin1');
}

const textOf = (pdf: Buffer) => reader.read('account', () => bytesOf(pdf));

describe('the text of a PDF', () => {
  test.each([
    ['GBK-EUC-H', 'STSong-Light', 'GB1', 'c4e3bac3a3accda3b3b5b3a1', '你好，停车场'],
    ['UniGB-UCS2-H', 'STSong-Light', 'GB1', '4f60597dff0c505c8f66573a', '你好，停车场'],
    ['ETen-B5-H', 'MSung-Light', 'CNS1', 'b0b1a8aeb3f5a74bb64f', '停車場免費'],
    ['90ms-RKSJ-H', 'HeiseiMin-W3', 'Japan1', '92938ed48fea82cd96b397bf', '駐車場は無料'],
    ['UniJIS-UTF16-H', 'HeiseiKakuGo-W5', 'Japan1', '99d08eca5834306f71216599', '駐車場は無料'],
    ['KSCms-UHC-H', 'HYSMyeongJo-Medium', 'Korea1', 'c1d6c2f7c0e5c0ba20b9abb7e1', '주차장은 무료'],
    ['GB-EUC-H', 'STSong-Light', 'GB1', 'cda3b3b5b3a1c3e2b7d1', '停车场免费'],
    ['GBK2K-H', 'STSong-Light', 'GB1', 'cda3b3b5b3a1c3e2b7d1', '停车场免费'],
    ['UniGB-UTF16-H', 'STSong-Light', 'GB1', '505c8f66573a514d8d39', '停车场免费'],
    ['B5pc-H', 'MSung-Light', 'CNS1', 'b0b1a8aeb3f5a74bb64f', '停車場免費'],
    ['HKscs-B5-H', 'MHei-Medium', 'CNS1', 'b0b1a8aeb3f5a74bb64f', '停車場免費'],
    ['UniCNS-UCS2-H', 'MSung-Light', 'CNS1', '505c8eca5834514d8cbb', '停車場免費'],
    ['EUC-H', 'HeiseiMin-W3', 'Japan1', 'c3f3bcd6beeca4cfccb5cec1', '駐車場は無料'],
    ['90msp-RKSJ-H', 'HeiseiKakuGo-W5', 'Japan1', '92938ed48fea82cd96b397bf', '駐車場は無料'],
    ['UniJIS-UCS2-H', 'HeiseiMin-W3', 'Japan1', '99d08eca5834306f71216599', '駐車場は無料'],
    ['KSC-EUC-H', 'HYGoThic-Medium', 'Korea1', 'c1d6c2f7c0e5c0ba20b9abb7e1', '주차장은 무료'],
    [
      'UniKS-UCS2-H',
      'HYSMyeongJo-Medium',
      'Korea1',
      'c8fccc28c7a5c7400020bb34b8cc',
      '주차장은 무료',
    ],
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

  test.each([
    [
      'three columns',
      [
        'Gates open at nine in',
        'Tickets cost nine euros',
        'Dogs have to wait at the',
        'the morning.',
        'for adults.',
        'entrance.',
      ],
      [50, 230, 410],
      'Gates open at nine in\nthe morning.\nTickets cost nine euros\nfor adults.\nDogs have to wait at the\nentrance.',
    ],
    [
      'words that end in the next line of their column',
      [
        'The shop sells fresh veg-',
        'the harbour, where a fer-',
        'etables and is beside',
        'ry leaves each hour.',
      ],
      [72, 320],
      'The shop sells fresh vegetables and is beside\nthe harbour, where a ferry leaves each hour.',
    ],
  ] as const)('has %s in reading order', async (_, texts, places, expected) => {
    const content = texts.map((text, index) => {
      const row = Math.floor(index / places.length);
      return at(places[index % places.length]!, 700 - 16 * row, text);
    });

    expect(await textOf(pdfOfPages([streamOf(content.join(''))]))).toBe(expected);
  });

  test('has a title above its columns and a table below them', async () => {
    const leftColumn = ['The shop is open from', 'nine until six and has a', 'bakery in it.'];
    const rightColumn = ['Parking costs two euros', 'for each hour and is free', 'on all Sundays.'];
    const content = [
      at(200, 730, 'How to find us'),
      ...leftColumn.map((text, row) => at(72, 700 - 16 * row, text)),
      ...rightColumn.map((text, row) => at(320, 700 - 16 * row, text)),
      ...['Item', 'Eggs', 'Milk'].map((text, row) => at(72, 600 - 16 * row, text)),
      ...['Price', '2.00', '1.00'].map((text, row) => at(320, 600 - 16 * row, text)),
    ];

    expect(await textOf(pdfOfPages([streamOf(content.join(''))]))).toBe(
      [
        'How to find us',
        ...leftColumn,
        ...rightColumn,
        'Item Price',
        'Eggs 2.00',
        'Milk 1.00',
      ].join('\n'),
    );
  });

  test('has the values of a form beside their labels', async () => {
    const labels = at(72, 720, 'Name:') + at(72, 700, 'Member');
    const filled = form(
      labels,
      '/FT /Tx /T (n) /V (Ada) /Rect [120 715 300 735]',
      '/FT /Btn /T (m) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >> /Rect [50 698 60 710]',
      '/Subtype /FreeText /Contents (paid) /Rect [120 695 300 712]',
    );

    expect(await textOf(filled)).toBe('Name: Ada\n[x] Member paid');
  });

  test.each([
    [
      'a choice, as it is shown',
      '/FT /Ch /Ff 131072 /T (c) /V (de) /Opt [[(fr) (France)] [(de) (Germany)]]',
      'Field: Germany',
    ],
    [
      'several choices',
      '/FT /Ch /Ff 2097152 /T (l) /V [(en) (de)] /Opt [[(en) (English)] [(de) (German)]]',
      'Field: English, German',
    ],
    [
      'a box that is not checked',
      '/FT /Btn /T (n) /V /Off /AS /Off /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>',
      'Field: [ ]',
    ],
    [
      'a chosen button',
      '/FT /Btn /Ff 32768 /T (p) /V /Pro /AS /Pro /AP << /N << /Pro 5 0 R /Off 5 0 R >> >>',
      'Field: [x]',
    ],
    ['letters of UTF-16', '/FT /Tx /T (n) /V <FEFF0142006F0064017A>', 'Field: łodź'],
    [
      'lines',
      '/FT /Tx /Ff 4096 /T (a) /V (Main Street 1\\nBerlin)',
      'Field: Main Street 1\nBerlin',
    ],
    ['nothing of a hidden field', '/FT /Tx /T (h) /F 2 /V (hidden)', 'Field:'],
    ['no password', '/FT /Tx /Ff 8192 /T (s) /V (swordfish)', 'Field:'],
  ])('has of a form: %s', async (_, entries, expected) => {
    const filled = form(at(72, 720, 'Field:'), `${entries} /Rect [120 715 300 735]`);

    expect(await textOf(filled)).toBe(expected);
  });

  test.each([0.3, 0.6, 0.999])('of compressed pages is what is there of %s', async (share) => {
    const pdf = pdfOfPages(
      Array.from({ length: 12 }, (_, number) => deflated(Buffer.from(fullPage(number)))),
    );

    const text = await textOf(pdf.subarray(0, Math.floor(share * pdf.length)));

    expect(text).toContain('Page 0 has line 0\nPage 0 has line 4999');
    const pages = new Set(text.match(/Page \d+/g));
    expect(pages.size).toBeGreaterThanOrEqual(Math.floor(12 * share));
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
