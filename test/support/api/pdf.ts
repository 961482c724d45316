/* PDFs made by code: valid and hostile ones. */
import { deflateSync } from 'node:zlib';

export type Part = string | Buffer;

/** Assembles a PDF of these objects, numbered from 1. The first is the catalog. */
function pdfOf(objects: Part[], trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let length = parts[0]!.length;
  for (const [at, object] of objects.entries()) {
    places.push(length);
    const part = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.concat([
    ...parts,
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}`),
    Buffer.from(
      `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  ]);
}

export const streamOf = (content: Part, entries = ''): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
};

export const deflated = (content: Buffer): Buffer =>
  streamOf(deflateSync(content, { level: 9 }), '/Filter /FlateDecode');

type PdfOptions = { resources?: string; objects?: Part[]; trailer?: string };

/** One page for each content stream. Objects in `more` are numbered from 4 + 2 for each page. */
export function pdfOfPages(
  contents: Part[],
  { resources = '', objects = [], trailer }: PdfOptions = {},
): Buffer {
  const kids = contents.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const pages = contents.flatMap((content, at) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${resources.includes('/Font') ? '' : '/Font << /F 3 0 R >>'} ${resources} >> /Contents ${5 + 2 * at} 0 R >>`,
    content,
  ]);
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...pages,
      ...objects,
    ],
    trailer,
  );
}

export const line = (text: string): Buffer => streamOf(`BT /F 12 Tf 72 720 Td (${text}) Tj ET`);

/** A valid PDF with one line on each page. */
export const pdfSaying = (...lines: string[]): Buffer => pdfOfPages(lines.map(line));

const locked = ['11', '22'].map((byte) => byte.repeat(32));

/** Hostile PDFs, each with the expected error. */
export const hostilePdfs: { what: string; says: RegExp; make: () => Buffer }[] = [
  { what: 'no PDF at all', says: /not a PDF/, make: () => Buffer.from('Once upon a time.') },
  {
    what: 'nothing behind its first line',
    says: /not a PDF/,
    make: () => Buffer.from(`%PDF-1.7\n${'garbage '.repeat(1000)}`),
  },
  {
    what: 'ten thousand pages',
    says: /more than 5000 pages/,
    make: () => pdfSaying(...Array.from({ length: 10_000 }, (_, at) => `page ${at}`)),
  },
  {
    what: 'pages that are their own parents',
    says: /not a PDF/,
    make: () =>
      pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 9 >>']),
  },
  {
    what: 'a lock',
    says: /encrypted/,
    make: () =>
      pdfOfPages([line('secret')], {
        objects: [`<< /Filter /Standard /V 1 /R 2 /O <${locked[0]}> /U <${locked[1]}> /P -4 >>`],
        trailer: '/Encrypt 6 0 R /ID [<00112233445566778899aabbccddeeff> <00>]',
      }),
  },
  {
    what: 'three million brackets',
    says: /not a PDF/,
    make: () => pdfOfPages([line('x')], { resources: `/X ${'['.repeat(3_000_000)}` }),
  },
  {
    what: 'six hundred megabytes in ten kilobytes',
    says: /memory|seconds/,
    make: () => {
      const deflatedOnce = deflateSync(Buffer.alloc(6 * 10 ** 8), { level: 1 });
      const deflatedTwice = deflateSync(deflatedOnce, { level: 9 });
      return pdfOfPages([streamOf(deflatedTwice, '/Filter [/FlateDecode /FlateDecode]')]);
    },
  },
  {
    // In a thread with resource limits this one ended the whole process.
    what: 'an array of thirty million numbers',
    says: /memory|seconds/,
    make: () => pdfOfPages([line('x')], { resources: `/X [${'0 '.repeat(30_000_000)}]` }),
  },
  {
    what: 'a form in a form, a billion times',
    says: /seconds/,
    make: () => {
      const forms = Array.from({ length: 30 }, (_, at) =>
        streamOf(
          at === 29 ? 'BT /F 12 Tf (x) Tj ET' : '/N Do /N Do',
          `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /Font << /F 3 0 R >> /XObject << /N ${7 + at} 0 R >> >>`,
        ),
      );
      return pdfOfPages([streamOf('/N Do')], {
        resources: '/XObject << /N 6 0 R >>',
        objects: forms,
      });
    },
  },
];

type NamedFont = { font: string; encoding: string; ordering: string };

/** A page in a font that the PDF names and does not hold, with a line of Helvetica above. */
export const pdfInNamedFont = ({ font, encoding, ordering }: NamedFont, codes: string): Buffer =>
  pdfOfPages(
    [streamOf(`BT /F 12 Tf 72 720 Td (Parking) Tj ET BT /N 12 Tf 72 700 Td <${codes}> Tj ET`)],
    {
      resources: '/Font << /F 3 0 R /N 6 0 R >>',
      objects: [
        `<< /Type /Font /Subtype /Type0 /BaseFont /${font} /Encoding /${encoding} /DescendantFonts [7 0 R] >>`,
        `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${font} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 8 0 R /DW 1000 >>`,
        `<< /Type /FontDescriptor /FontName /${font} /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>`,
      ],
    },
  );
