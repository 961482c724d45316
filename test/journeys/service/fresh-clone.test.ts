/*
 * The commands that the documentation names, in a clone in which only `npm start` has installed
 * packages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, WORKER_TOKEN, type BuiltApp } from '../../support/api/build-app.ts';
import { FreshClone } from '../../support/processes/fresh-clone.ts';
import { until } from '../../support/until.ts';

let clone: FreshClone;
let service: BuiltApp;
let scripts: Record<string, string>;
beforeAll(async () => {
  [clone, service] = await Promise.all([FreshClone.make(), buildApp({ slots: 0 })]);
  ({ scripts } = JSON.parse(await readFile('package.json', 'utf8')));
});
afterAll(async () => {
  await service?.close();
  await clone?.remove();
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** As npm runs a script: by a shell. */
function start(name: string, args: string, env: Record<string, string> = {}) {
  const child = spawn('sh', ['-c', `${scripts[name]} ${args}`], {
    cwd: clone.folder,
    env: { ...clone.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  closing.push(() => {
    child.kill('SIGTERM');
    return exit;
  });
  return {
    exit,
    output: () => output,
    async prints(pattern: RegExp): Promise<RegExpExecArray> {
      await until(() => pattern.test(output) || child.exitCode !== null);
      return pattern.exec(output) ?? expect.fail(output);
    },
  };
}

describe('a clone in which only npm start has installed packages', () => {
  afterEach(async () => expect(await clone.asked()).toBe(''));

  test('runs npm run simulate', async () => {
    const simulated = start('simulate', '2 5', {
      CONTROL_URL: service.url,
      WORKER_TOKEN,
    });

    await simulated.prints(/^2 avatar and 2 agent workers with 5 slots each at /m);
  });

  test('runs two examples at once, each at its own address and with its page', async () => {
    const addresses = await Promise.all(
      ['kiosk', 'kiosk'].map(async (name) => {
        const example = start('example', name, {
          TROUPE_URL: service.url,
          DATA_DIR: service.place.env.DATA_DIR,
        });
        return (await example.prints(/^The kiosk is at (\S+)$/m))[1]!;
      }),
    );

    expect(new Set(addresses).size).toBe(2);
    for (const address of addresses) {
      for (const file of ['', 'look.css', 'livekit-client.mjs'])
        expect((await fetch(new URL(file, address))).status, file).toBe(200);
    }
  });

  test('runs npm run lipsync', async () => {
    const out = path.join(clone.folder, 'mouths.jsonl');

    const { exit, output } = start('lipsync', `--out ${out} deploy/examples/hello.wav`);

    expect(await exit, output()).toEqual([0, null]);
    expect(await readFile(out, 'utf8')).toContain('"file":"hello.wav"');
  });

  test('runs npm run conformance', async () => {
    const { exit, output } = start(
      'conformance',
      `--cmd '${process.execPath} workers/avatar/main.ts' --only version`,
    );

    expect(await exit, output()).toEqual([0, null]);
    expect(output()).toMatch(/^version +passed.*\nThe worker conforms\.\n$/m);
  });
});

test('npm run bench says that it adds development packages', async () => {
  const bench = start('bench', 'knowledge');

  expect(await bench.exit).toEqual([1, null]);
  expect(bench.output()).toMatch(
    /^Installing the development packages with npm install \(\S+ is missing\)\.$/m,
  );
  expect(await clone.asked()).toMatch(/^install --no-save --include=dev /);
});
