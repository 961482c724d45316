import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { journeysByFolder, journeysFor } from '../journeys/by-folder.ts';

const folders = globSync('{src,workers}/*/').map((folder) => path.join(folder, '.'));
const journeys = globSync('test/journeys/**/*.test.ts').map((file) =>
  path.relative('test/journeys', file).replace(/\.test\.ts$/, ''),
);

describe('the table of journeys', () => {
  test('names every folder of the sources, and no other', () => {
    const tracked = folders.filter((folder) => globSync(`${folder}/**/*.ts`).length > 0);

    expect(Object.keys(journeysByFolder).sort()).toEqual(tracked.sort());
  });

  test('names every journey, and no other', () => {
    const named = new Set(Object.values(journeysByFolder).flat());

    expect([...named].sort()).toEqual(journeys.sort());
  });

  test('gives the journeys of the changed folders, and changed journeys, once', () => {
    const journeys = journeysFor([
      'workers/bundle/read.ts',
      'workers/enrolment/build-avatar.ts',
      'src/errors.ts',
      'test/journeys/service/traces.test.ts',
    ]);

    expect(journeys).toEqual(['fleet/worker-tls', 'service/photo-avatar', 'service/traces']);
    expect(journeys.every((name) => existsSync(`test/journeys/${name}.test.ts`))).toBe(true);
  });
});
