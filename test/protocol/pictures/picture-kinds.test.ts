import { describe, expect, test } from 'vitest';
import { recognize } from '#protocol/pictures/picture-kinds.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The first box of a file that holds its parts in boxes. */
function boxed(...brands: string[]): Buffer {
  const [brand, ...compatible] = brands;
  const box = latin1(`\0\0\0\0ftyp${brand}\0\0\0\0${compatible.join('')}`);
  box.writeUInt32BE(box.length);
  return Buffer.concat([box, Buffer.alloc(64)]);
}

/** A TIFF with these tags of one short number each. */
function tiff(tags: Record<number, number>): Buffer {
  const entries = Object.entries(tags);
  const file = Buffer.alloc(64 + 12 * entries.length);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, value], index) => {
    const at = 10 + 12 * index;
    file.writeUInt16LE(Number(tag), at);
    file.writeUInt16LE(3, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt16LE(value, at + 8);
  });
  return file;
}

describe('the kind of a picture', () => {
  test.each([
    ['jpeg', latin1('\xff\xd8\xff\xe1')],
    ['png', latin1('\x89PNG\r\n\x1a\n')],
    ['webp', latin1('RIFF\0\0\0\0WEBPVP8 ')],
    ['gif', latin1('GIF87a')],
    ['tiff', tiff({ 256: 400, 262: 2 })],
    ['heic', boxed('heic', 'mif1')],
    ['heic', boxed('mif1', 'mif1', 'heix')],
    ['heic', boxed('msf1', 'hevc')],
    ['avif', boxed('avif', 'mif1', 'miaf')],
    ['avif', boxed('mif1', 'miaf', 'avif')],
    ['avif', boxed('avis', 'msf1')],
  ])('%s is recognized', (kind, bytes) => {
    expect(recognize(bytes)).toEqual({ kind });
  });

  test.each([
    ['bitmap', latin1('BM\x36\0\x0c\0\0\0\0\0\x36\0')],
    ['jpeg_2000', latin1('\0\0\0\x0cjP  \r\n\x87\n')],
    ['jpeg_2000', latin1('\xff\x4f\xff\x51\0')],
    ['jpeg_xl', latin1('\xff\x0a\xfa')],
    ['jpeg_xl', latin1('\0\0\0\x0cJXL \r\n')],
    ['svg', latin1('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['svg', latin1('\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn -->\n<svg width="1">')],
    ['svg', latin1('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg>')],
    ['web_page', latin1('\n<!doctype html><title>A picture</title>')],
    ['web_page', latin1('<html lang="en">')],
    ['web_page', latin1(' <?php ?> <!-- a --><!-- b -->\n<body>')],
    ['web_page', latin1('<!---->'.repeat(500) + '<html>')],
    ['svg', latin1('<!DOCTYPE svg [ <!ENTITY a "b"> ] >\n<s:svg>')],
    ['not_a_picture', latin1('<!-- <html>')],
    ['icon', latin1('\0\0\x01\0\x01\0')],
    ['layered', latin1('8BPS\0\x01')],
    ['pdf', latin1('%PDF-1.7')],
    ['raw_photo', tiff({ 254: 1, 330: 8 })],
    ['raw_photo', tiff({ 50_706: 1 })],
    ['raw_photo', tiff({ 262: 32_803 })],
    ['raw_photo', latin1('II*\0\x10\0\0\0CR\x02\0')],
    ['raw_photo', latin1('FUJIFILMCCD-RAW 0201')],
    ['raw_photo', boxed('crx ')],
    ['video', boxed('qt  ')],
    ['video', boxed('isom', 'iso2', 'avc1', 'mp41')],
    ['video', latin1('\x1a\x45\xdf\xa3')],
    ['archive', latin1('PK\x03\x04')],
    ['other_picture', latin1('qoif\0')],
    ['not_a_picture', latin1('a picture of me, honestly')],
    ['not_a_picture', Buffer.alloc(0)],
    ['not_a_picture', latin1('\0\0\0')],
  ])('%s is named', (problem, bytes) => {
    expect(recognize(bytes)).toEqual({ problem });
  });
});
