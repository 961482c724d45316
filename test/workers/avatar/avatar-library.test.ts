import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openBundle } from '../../../workers/bundle/open-bundle.ts';
import type { Background } from '#protocol/pictures/frames.ts';
import { OWN_ROOM } from '../../../workers/avatar/performer/backdrop.ts';
import { AvatarLibrary } from '../../../workers/avatar/avatar-library.ts';
import { MemoryPerformer } from '../../support/picture/memory-performer.ts';
import { assign } from '../../support/picture/session.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const NORA = fileURLToPath(
  new URL(`../../../workers/avatar/avatars/${FIRST_AVATAR.bundle}`, import.meta.url),
);
const HASH = 'a'.repeat(64);

function faces() {
  const calls: string[] = [];
  const builtIn = {
    ids: [FIRST_AVATAR.alias],
    async performer(avatarId: string) {
      calls.push(`built-in ${avatarId}`);
      return new MemoryPerformer();
    },
    async show(avatarId: string) {
      calls.push(`built-in ${avatarId} shown`);
      return { bundle: await openBundle(NORA), release: () => {} };
    },
    async close() {
      calls.push('built-in closed');
    },
  };
  const backdrops = {
    async open(background: Background | undefined) {
      calls.push(`background ${background?.kind ?? 'of its own'}`);
      return OWN_ROOM;
    },
  };
  const bundles = {
    async show(hash: string) {
      if (hash !== HASH) throw new Error('gone');
      calls.push('bundle shown');
      return { bundle: await openBundle(NORA), release: () => void calls.push('bundle released') };
    },
    close: () => void calls.push('bundles closed'),
  };
  return { calls, library: new AvatarLibrary({ builtIn, bundles, backdrops }) };
}

describe('avatars of a worker', () => {
  test('are built in if the assignment names no bundle', async () => {
    const { library, calls } = faces();

    await library.performer(assign());

    expect(library.ids).toEqual([FIRST_AVATAR.alias]);
    expect(calls).toEqual(['background of its own', 'built-in avatar-1']);
  });

  test('come from the named bundle, which stays open while in use', async () => {
    const { library, calls } = faces();

    const performer = await library.performer({ ...assign(), bundle: HASH });
    const frame = new Uint8Array((512 * 512 * 3) / 2);
    const isDrawn = performer.draw(0, frame);
    performer.close();

    expect(isDrawn).toBe(true);
    expect(frame.some((value) => value > 0)).toBe(true);
    expect(calls).toEqual(['background of its own', 'bundle shown', 'bundle released']);
  });

  test('are shown on a contact sheet from their bundle, too', async () => {
    const { library, calls } = faces();

    const opened = [
      await library.show({ avatarId: FIRST_AVATAR.alias }),
      await library.show({ avatarId: 'ada', bundle: HASH }),
    ];
    for (const each of opened) {
      each.release();
      each.bundle.close();
    }

    expect(calls).toEqual([
      `built-in ${FIRST_AVATAR.alias} shown`,
      'bundle shown',
      'bundle released',
    ]);
  });

  test('reject with CannotPerform if the bundle is unavailable', async () => {
    const { library } = faces();

    const performing = library.performer({ ...assign(), bundle: 'b'.repeat(64) });

    await expect(performing).rejects.toMatchObject({ name: 'CannotPerform' });
  });

  test('are all closed together', async () => {
    const { library, calls } = faces();

    await library.close();

    expect(calls).toEqual(['bundles closed', 'built-in closed']);
  });
});
