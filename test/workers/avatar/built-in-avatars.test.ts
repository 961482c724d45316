import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BuiltInAvatars } from '../../../workers/avatar/built-in-avatars.ts';
import { CannotPerform } from '../../../workers/runtime/performance.ts';
import { settle, TestClock } from '../../support/test-clock.ts';
import { drawnBundleFile, SIZE } from '../../support/picture/drawn-face.ts';

let folder: string;
let avatars: BuiltInAvatars | null;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-avatars-'));
  avatars = null;
});
afterEach(async () => {
  await avatars?.close();
  await rm(folder, { recursive: true });
});

async function opened(files: Record<string, Buffer | null>): Promise<BuiltInAvatars> {
  const catalog = Object.keys(files).map((id) => ({ id, bundle: `${id}.avatar` }));
  await writeFile(path.join(folder, 'catalog.json'), JSON.stringify(catalog));
  for (const [id, bytes] of Object.entries(files))
    if (bytes) await writeFile(path.join(folder, `${id}.avatar`), bytes);
  avatars = await BuiltInAvatars.open(clock, pathToFileURL(`${folder}/`));
  return avatars;
}

test('shows each available avatar', async () => {
  const bundle = await drawnBundleFile();
  const library = await opened({ one: bundle, two: bundle, missing: null });

  expect(library.ids).toEqual(['one', 'two']);
  for (const id of library.ids) {
    const performer = await library.performer(id, { seed: 'a session' });
    expect(performer.draw(0, new Uint8Array(SIZE * SIZE * 1.5))).toBe(true);
    performer.close();
  }
});

test('has opened the first avatar before it is wanted', async () => {
  const bundle = await drawnBundleFile();
  const library = await opened({ one: bundle, two: bundle });

  const performer = library.performer('one', { seed: 'a session' }).then(() => 'is open');
  const turn = new Promise((resolve) => setImmediate(resolve, 'is opening'));

  expect(await Promise.race([performer, turn])).toBe('is open');
});

test('keeps an avatar open for a while after its last session', async () => {
  const bundle = await drawnBundleFile();
  const library = await opened({ one: bundle, two: bundle });
  const faceOf = async () => {
    const use = await library.show('two');
    use.release();
    return use.bundle.face;
  };

  const face = await faceOf();
  clock.advance(59_000);
  const sameFace = await faceOf();
  clock.advance(60_000);
  await settle();
  const otherFace = await faceOf();

  expect(sameFace).toBe(face);
  expect(otherFace).not.toBe(face);
});

test('rejects a damaged or unknown avatar with CannotPerform', async () => {
  const bundle = await drawnBundleFile();
  const library = await opened({ one: bundle, damaged: bundle.subarray(0, 2000) });

  await expect(library.performer('damaged', { seed: 'a session' })).rejects.toBeInstanceOf(
    CannotPerform,
  );
  await expect(library.performer('unknown', { seed: 'a session' })).rejects.toBeInstanceOf(
    CannotPerform,
  );
  await expect(library.performer('one', { seed: 'a session' })).resolves.toBeDefined();
});

test('fails to open when the first avatar cannot be opened', async () => {
  await expect(opened({ damaged: Buffer.from('no bundle') })).rejects.toThrow(
    'not an avatar bundle',
  );
});
