/* Lists as numbered files of limited size, so that no list needs much memory. */
import type { Page, PageRequest } from '../../records/engine/pages.ts';
import { textFile, type ArchiveFile } from './tar.ts';

const PAGE = 100;
/** A part ends with the item that exceeds it. */
const PART_CHARACTERS = 2 ** 20;

/** `sessions/0001.ndjson` and so on, one file for each page, or more if it is large. */
export async function* partsOf<Stored>(
  name: string,
  pages: AsyncIterable<Stored[]>,
  toBody: (stored: Stored) => Promise<unknown>,
): AsyncGenerator<ArchiveFile> {
  let number = 0;
  const partOf = (text: string): ArchiveFile => {
    number += 1;
    return textFile(`${name}/${String(number).padStart(4, '0')}.ndjson`, text);
  };
  for await (const page of pages) {
    let text = '';
    for (const stored of page) {
      text += `${JSON.stringify(await toBody(stored))}\n`;
      if (text.length < PART_CHARACTERS) continue;
      yield partOf(text);
      text = '';
    }
    if (text !== '') yield partOf(text);
  }
}

export async function* pagesOf<Stored>(
  read: (request: PageRequest) => Promise<Page<Stored>>,
): AsyncGenerator<Stored[]> {
  let cursor: string | undefined;
  do {
    const page = await read({ limit: PAGE, cursor });
    yield page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export async function* itemsOf<Stored>(pages: AsyncIterable<Stored[]>): AsyncGenerator<Stored> {
  for await (const page of pages) yield* page;
}
