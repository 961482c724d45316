import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { venvPython } from '#shared/process/venv-python.ts';
import { InstalledModels } from '../../../../workers/agent/stt/installed-models.ts';
import { RATE, RECOGNIZER } from '../../../support/sound/recognizer-stand-in.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });
const LOOK_EVERY_MS = 3_000;
const DECIDE_AGAIN_MS = 60_000;
const UNUSED_MS = 600_000;

let folder: string;
let clock: TestClock;
let models: InstalledModels;
let changes: number;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-models-'));
  clock = new TestClock();
  changes = 0;
});
afterEach(async () => {
  models.close();
  await settle();
  expect(clock.waiting).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

/** `python` is a script for Node. */
async function installRuntime(script = RECOGNIZER): Promise<void> {
  const python = venvPython(path.join(folder, 'python'));
  await mkdir(path.dirname(python), { recursive: true });
  await writeFile(python, `#!${process.execPath}\n${script}`);
  await chmod(python, 0o755);
  await writeFile(path.join(folder, 'python/ready'), '');
}

async function installModel(id: string, languages: string[], isStreaming = false): Promise<void> {
  await mkdir(path.join(folder, id), { recursive: true });
  const facts = JSON.stringify({ languages, isStreaming });
  await writeFile(path.join(folder, id, 'model.json'), facts);
  await writeFile(path.join(folder, id, 'ready'), '');
}

function open(): void {
  models = new InstalledModels({
    folder,
    sampleSpeech: async () => ({ samples: new Int16Array(RATE).fill(9), sampleRate: RATE }),
    onChange: () => changes++,
    clock,
    log,
  });
}

/** The only model, once it is measured. */
async function readyModel() {
  await installRuntime();
  await installModel('kroko-de', ['de'], true);
  open();
  await until(() => changes === 1);
  return models.models[0]!;
}

const speech = new Float32Array(RATE).fill(0.1);

// The stand-in for Python is a script.
describe.skipIf(process.platform === 'win32')('installed speech models', () => {
  test('are found at the start, and those for fewer languages preferred', async () => {
    await installRuntime();
    await installModel('a-whisper', ['de', 'it']);
    await installModel('kroko-de', ['de'], true);
    open();
    await until(() => changes === 2);

    expect(
      models.models.map(({ languages, interims, state }) => [languages, interims, state]),
    ).toEqual([
      [['de'], 'streaming', 'ready'],
      [['de', 'it'], null, 'ready'],
    ]);
  });

  test('are found as soon as they are complete', async () => {
    open();
    await installRuntime();
    await installModel('kroko-de', ['de']);
    await rm(path.join(folder, 'kroko-de/ready'));
    clock.advance(LOOK_EVERY_MS);
    expect(models.models).toEqual([]);

    await writeFile(path.join(folder, 'kroko-de/ready'), '');
    clock.advance(LOOK_EVERY_MS);
    await until(() => changes === 1);

    expect(models.models[0]?.state).toBe('ready');
    expect(await models.models[0]?.whenDecided).toBe('ready');
  });

  test('are not used without the packages that run them', async () => {
    await installModel('kroko-de', ['de']);
    open();
    clock.advance(LOOK_EVERY_MS);

    expect(models.models).toEqual([]);
  });

  test('run while calls use them', async () => {
    const model = await readyModel();
    expect(model.pid).toBeUndefined();

    model.prepare();
    expect(model.pid).toBeDefined();
    expect((await model.recognize(speech, RATE)).text).toBe('1 seconds');
    clock.advance(UNUSED_MS - 1);
    expect(model.pid).toBeDefined();
    clock.advance(1);
    expect(model.pid).toBeUndefined();

    expect((await model.recognize(speech, RATE)).text).toBe('1 seconds');
  });

  test('stay when their program is killed', async () => {
    const model = await readyModel();
    await model.recognize(speech, RATE);
    const { pid } = model;

    process.kill(pid!, 'SIGKILL');
    await until(() => model.pid === undefined);
    const transcript = model.recognize(speech, RATE);
    clock.advance(500);

    expect((await transcript).text).toBe('1 seconds');
    expect(model.pid).not.toBe(pid);
  });

  test('are left to the calls under way when they are removed', async () => {
    const model = await readyModel();
    await model.recognize(speech, RATE);

    await rm(path.join(folder, 'kroko-de'), { recursive: true });
    clock.advance(LOOK_EVERY_MS);

    expect(models.models).toEqual([]);
    expect(changes).toBe(2);
    expect((await model.recognize(speech, RATE)).text).toBe('1 seconds');
  });

  test('are used again when they are installed again', async () => {
    const model = await readyModel();
    await rm(path.join(folder, 'kroko-de'), { recursive: true });
    clock.advance(LOOK_EVERY_MS);

    await installModel('kroko-de', ['de']);
    clock.advance(LOOK_EVERY_MS);
    await until(() => changes === 3);

    expect(models.models).toHaveLength(1);
    expect(models.models[0]).not.toBe(model);
  });

  test('that fail do not keep others waiting, and are tried again', async () => {
    const failing = `
      const folder = process.argv.at(-1);
      const isMended = require('node:fs').existsSync(folder + '/mended');
      if (folder.endsWith('broken') && !isMended) process.exit(1);`;
    await installRuntime(`${failing}${RECOGNIZER}`);
    await installModel('broken', ['fr']);
    await installModel('kroko-de', ['de']);
    open();
    await until(() => models.models.some(({ pid }) => pid !== undefined));
    // The request waits for a program that does not start.
    await until(() => models.models.every(({ pid }) => pid === undefined));
    clock.advance(60_000);
    await until(() => changes === 1);
    expect(models.models.map(({ state }) => state).toSorted()).toEqual(['pending', 'ready']);

    await writeFile(path.join(folder, 'broken/mended'), '');
    clock.advance(DECIDE_AGAIN_MS);
    await until(() => changes === 2);

    expect(models.models.map(({ state }) => state)).toEqual(['ready', 'ready']);
  });

  test('are given up on a machine that is too slow for them', async () => {
    const elapsed = clock.elapsed.bind(clock);
    let steps = 0;
    clock.elapsed = () => elapsed() + 600 * ++steps;
    await installRuntime();
    await installModel('kroko-de', ['de']);
    open();
    // Each measurement looks at the clock before and after three runs.
    for (const looks of [6, 12]) {
      await until(() => steps === looks && clock.dueIn(60_000) === 1);
      clock.advance(60_000);
    }
    await until(() => changes === 1);

    expect(models.models[0]?.state).toBe('too_slow');
    expect(models.models[0]?.pid).toBeUndefined();
  });
});
