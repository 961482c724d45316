import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PdfReader } from '../../src/knowledge/pdf-reader.ts';
import { pdfInNamedFont } from '../support/api/pdf.ts';
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
});
