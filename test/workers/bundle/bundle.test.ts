import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HEADER_BYTES } from '../../../workers/bundle/format.ts';
import { decodeBundle, openBundle } from '../../../workers/bundle/open-bundle.ts';
import { premultiplied } from '../../../workers/bundle/planes.ts';
import { LIP_SHAPES } from '../../../workers/bundle/visemes.ts';
import { drawnBundleFile, drawnPictures, SIZE } from '../../support/picture/drawn-face.ts';
import { CAST } from '../../support/cast.ts';

/** The path of a file that does not exist yet, in a folder of this test alone. */
async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'drawn.avatar');
}

describe('avatar bundle', () => {
  test('opens as the face that was built', async () => {
    const face = await decodeBundle(await drawnBundleFile());

    expect(face.manifest).toMatchObject({ name: 'Drawn', width: SIZE, height: SIZE });
    expect(face.mouths.map(({ name }) => name)).toContain('pressed');
    expect(face.eyes.map(({ name }) => name)).toContain('closed');
    expect(face.depth).toHaveLength(17 * 17);
    const { y, a } = premultiplied(drawnPictures().base);
    expect([...face.base.y]).toEqual([...y.values].map(Math.round));
    expect([...face.base.a]).toEqual([...a.values].map((value) => Math.round(value * 255)));
  });

  test('stores each mouth as its difference to the base', async () => {
    const face = await decodeBundle(await drawnBundleFile());
    const mouth = face.mouths.find(({ name }) => name === 'open_2')!;

    const { area, y } = mouth.unpackNow();
    const middle = (82 - area.y) * area.width + (64 - area.x);
    const light = face.base.y[82 * SIZE + 64]! + y[middle]!;

    expect(Math.abs(light - lightOf(0x30, 0x10, 0x10))).toBeLessThanOrEqual(2);
  });

  test('stores nothing for a sprite equal to the base', async () => {
    const face = await decodeBundle(await drawnBundleFile());

    expect(face.mouths[0]!.area).toEqual({ x: 0, y: 0, width: 0, height: 0 });
    expect(face.eyes[0]!.unpackNow().y).toHaveLength(0);
  });
});

describe('opening a bundle', () => {
  test('shares an open bundle, and forgets it when the last user closes it', async () => {
    const file = await newFile();
    await writeFile(file, await drawnBundleFile());

    const [firstUse, secondUse] = await Promise.all([openBundle(file), openBundle(file)]);
    firstUse.close();
    firstUse.close();
    const third = await openBundle(file);
    third.close();
    secondUse.close();
    const later = await openBundle(file);

    expect(secondUse.face).toBe(firstUse.face);
    expect(third.face).toBe(firstUse.face);
    expect(later.face).not.toBe(firstUse.face);
    later.close();
  });

  test('forgets a file that could not be opened', async () => {
    const file = await newFile();
    await expect(openBundle(file)).rejects.toThrow('ENOENT');

    await writeFile(file, await drawnBundleFile());

    const bundle = await openBundle(file);
    expect(bundle.face.manifest.name).toBe('Drawn');
    bundle.close();
  });

  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ['nothing', async () => Buffer.alloc(0), /not an avatar bundle/],
    ['another file', async () => Buffer.from('RIFF'.repeat(100)), /not an avatar bundle/],
    ['another version', async () => patched(8, 99), /version 99/],
    ['a manifest longer than the file', async () => patched(12, 2 ** 31), /truncated/],
    ['a cut file', async () => (await drawnBundleFile()).subarray(0, -10), /truncated/],
    ['a manifest that is not JSON', async () => patched(HEADER_BYTES, 0), /not JSON/],
    [
      'a part that decompresses to more than its length',
      () =>
        withManifest((m) => {
          m.width = 64;
          m.height = 64;
          m.mouths = m.mouths.slice(0, 1);
          m.eyes = m.eyes.slice(0, 1);
          m.parts = m.parts.filter((part: { name: string }) => !/.\/(?!rest)/.test(part.name));
        }),
      /truncated|decompressed/,
    ],
    ['a picture of excessive size', () => withManifest((m) => (m.width = 1e9)), /width/],
    ['an area outside', () => withManifest((m) => (m.mouths[4].area.x = 1024)), /outside/],
    ['a camera out of range', () => withManifest((m) => (m.camera.focal = 1e300)), /focal/],
    ['a name twice', () => withManifest((m) => (m.eyes[1].name = 'rest')), /duplicate name/],
    [
      'too many pixels',
      () =>
        withManifest((m) => {
          m.width = 2048;
          m.height = 2048;
          const area = { x: 0, y: 0, width: 2048, height: 2048 };
          for (const sprite of [...m.mouths, ...m.eyes]) sprite.area = area;
        }),
      /too large/,
    ],
    ['a missing part', () => withManifest((m) => m.parts.pop()), /parts/],
    ['a negative length', () => withManifest((m) => (m.parts[0].bytes = -5)), /parts/],
  ])('refuses %s', async (_, file, message) => {
    await expect(decodeBundle(await file())).rejects.toMatchObject({
      name: 'BundleError',
      message: expect.stringMatching(message),
    });
  });

  test('refuses a changed sprite when it is unpacked', async () => {
    const face = await decodeBundle(await patched(-12, 7));
    const lastSprite = face.eyes.at(-1)!;
    const expected = expect.objectContaining({
      name: 'BundleError',
      message: expect.stringMatching(/damaged|decompressed|length/),
    });

    expect(() => lastSprite.unpackNow()).toThrow(expected);
    await expect(lastSprite.unpack()).rejects.toEqual(expected);
  });

  test('reads the older version, whose pictures hold the head in one place', async () => {
    const file = await withManifest((m) => {
      delete m.head;
      delete m.background;
    });
    file.writeUInt32LE(2, 8);

    const { manifest } = await decodeBundle(file);

    expect(manifest.head).toEqual({ x: SIZE / 2, y: 0.465 * SIZE, height: 0.69 * SIZE });
    expect(manifest.background).toEqual({ width: SIZE, height: SIZE, x: 0, y: 0, scale: 1 });
  });

  test.each(CAST.map(({ alias }) => alias))('%s has every lip shape', async (name) => {
    const file = fileURLToPath(
      new URL(`../../../workers/avatar/avatars/${name}.avatar`, import.meta.url),
    );
    const bundle = await openBundle(file);
    const shapes = new Set(bundle.face.mouths.map(({ lips }) => lips));
    bundle.close();

    // Rounded lips may stand for flared ones.
    expect([...shapes, 'flared']).toEqual(expect.arrayContaining([...LIP_SHAPES]));
  });
});

/* oxlint-disable-next-line typescript/no-explicit-any -- a test breaks the manifest in every way */
async function withManifest(change: (manifest: any) => void): Promise<Buffer> {
  const file = await drawnBundleFile();
  const partsAt = HEADER_BYTES + file.readUInt32LE(12);
  const manifest = JSON.parse(file.toString('utf8', HEADER_BYTES, partsAt));
  change(manifest);
  const json = Buffer.from(JSON.stringify(manifest));
  const header = Buffer.from(file.subarray(0, HEADER_BYTES));
  header.writeUInt32LE(json.length, 12);
  return Buffer.concat([header, json, file.subarray(partsAt)]);
}

async function patched(at: number, value: number): Promise<Buffer> {
  const file = Buffer.from(await drawnBundleFile());
  file.writeUInt32LE(value, at < 0 ? file.length + at : at);
  return file;
}

const lightOf = (red: number, green: number, blue: number) =>
  16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255;
