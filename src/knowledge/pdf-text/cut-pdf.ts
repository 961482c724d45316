/*
 * PDFs that end early, as downloads that broke off do. They lack the table at their end that says
 * where everything is.
 */
import { constants, inflateSync } from 'node:zlib';

/** Bounds what a compressed part of a file may become. */
const MOST_BYTES = 32 * 1024 ** 2;
const PAGE = /\/Type\s*\/Page\b(?!s)/;
const OBJECT = /(\d{1,9})\s+\d{1,5}\s+obj\b/g;

/** Whether parts follow the last mark of an end. */
export function endsEarly(file: Buffer): boolean {
  const end = file.lastIndexOf('%%EOF');
  return file.indexOf(' obj', Math.max(0, end)) >= 0;
}

/** The file with an end that names the pages in it. Null without any, or if it is encrypted. */
export function withNewEnd(file: Buffer): Buffer | null {
  const text = file.toString('latin1');
  if (/\/Encrypt\b|\/Filter\s*\/Standard\b/.test(text)) return null;
  const pages = new Set<string>();
  const unpackedObjects: string[] = [];
  let highest = 0;
  const note = (id: string, body: string) => {
    highest = Math.max(highest, Number(id));
    if (PAGE.test(body)) pages.add(id);
  };
  for (const match of text.matchAll(OBJECT)) {
    const body = bodyAt(text, match.index + match[0].length);
    note(match[1]!, body);
    if (!/\/Type\s*\/ObjStm\b/.test(body)) continue;
    for (const [id, packedBody] of objectsIn(file, match.index, body)) {
      note(id, packedBody);
      unpackedObjects.push(`${id} 0 obj\n${packedBody}\nendobj\n`);
    }
  }
  if (pages.size === 0) return null;
  const kids = [...pages].map((id) => `${id} 0 R`).join(' ');
  const [root, tree] = [highest + 1, highest + 2];
  const end = [
    '\nendstream\nendobj\n',
    // First: after a cut table, the library skips everything up to a trailer and its `startxref`.
    `trailer\n<< /Size ${tree + 1} /Root ${root} 0 R >>\nstartxref\n0\n`,
    ...unpackedObjects,
    `${root} 0 obj\n<< /Type /Catalog /Pages ${tree} 0 R >>\nendobj\n`,
    `${tree} 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${pages.size} >>\nendobj\n`,
  ];
  return Buffer.concat([file, Buffer.from(end.join(''), 'latin1')]);
}

/** An object without the bytes of its stream. */
function bodyAt(text: string, start: number): string {
  const ends = ['stream', 'endobj'].map((word) => text.indexOf(word, start));
  const end = Math.min(...ends.filter((at) => at >= 0), text.length);
  return text.slice(start, end);
}

/** Objects that the file keeps together in one compressed stream, as far as it is there. */
function objectsIn(file: Buffer, start: number, body: string): [id: string, body: string][] {
  const count = Number(/\/N\s+(\d+)/.exec(body)?.[1]);
  const firstAt = Number(/\/First\s+(\d+)/.exec(body)?.[1]);
  const isDeflated = /\/Filter\s*(?:\[\s*)?\/FlateDecode/.test(body);
  const stream = file.indexOf('stream', start) + 'stream'.length;
  if (!isDeflated || !count || !firstAt) return [];
  const data = file.subarray(file[stream] === 0x0d ? stream + 2 : stream + 1);
  const content = inflated(data);
  const numbers = content.slice(0, firstAt).trim().split(/\s+/);
  const objects: [string, string][] = [];
  for (let index = 0; index < count && 2 * index + 1 < numbers.length; index++) {
    const at = firstAt + Number(numbers[2 * index + 1]);
    const end = firstAt + Number(numbers[2 * index + 3] ?? content.length - firstAt);
    // The cut one is of no use.
    if (end <= content.length) objects.push([numbers[2 * index]!, content.slice(at, end)]);
  }
  return objects;
}

function inflated(data: Buffer): string {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_BYTES };
  try {
    return inflateSync(data, options).toString('latin1');
  } catch {
    return '';
  }
}
