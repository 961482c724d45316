import { afterAll, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { buildDocsBehind, type buildDocs } from '../../../src/start/build/docs.ts';
import { Guard } from '../../../src/start/processes/guard.ts';

const guard = new Guard(systemClock);
afterAll(() => guard.close());

async function linesOf(build: typeof buildDocs, signal = new AbortController().signal) {
  const lines: string[] = [];
  await buildDocsBehind({ env: {}, guard, say: (line) => lines.push(line), signal }, build);
  return lines;
}

test('a documentation that cannot be built leaves the service running, and says what to do', async () => {
  expect(await linesOf(() => Promise.reject(new Error('no network')))).toEqual([
    'The documentation could not be built: `npm run build:pages` shows why.',
  ]);
});

test('a stop of the service is no failed build', async () => {
  expect(await linesOf(() => Promise.reject(new Error('stopped')), AbortSignal.abort())).toEqual(
    [],
  );
});

test('the progress of a build stays off the terminal of a running service', async () => {
  expect(await linesOf(async ({ say }) => say('Building the documentation: 2 s'))).toEqual([]);
});
