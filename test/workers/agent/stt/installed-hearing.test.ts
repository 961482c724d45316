import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { InstalledHearing } from '../../../../workers/agent/stt/installed-hearing.ts';
import { installHearingStandIn, RATE } from '../../../support/sound/recognizer-stand-in.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });
const LOOK_EVERY_MS = 3_000;

/** Time passes by `stepMs` at each look. */
class SlowClock extends TestClock {
  stepMs = 0;
  #steps = 0;

  override elapsed(): number {
    this.#steps += this.stepMs;
    return super.elapsed() + this.#steps;
  }
}

let folder: string;
let clock: SlowClock;
let hearing: InstalledHearing;
let sample: Int16Array<ArrayBuffer>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-hearing-'));
  clock = new SlowClock();
  sample = new Int16Array(RATE).fill(9);
});
afterEach(async () => {
  hearing.close();
  await settle();
  expect(clock.waiting).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

const modelFolder = () => path.join(folder, 'hearing');
const pythonFolder = () => path.join(folder, 'voice');

const install = (script?: string) => installHearingStandIn(folder, script);

function open(): void {
  hearing = new InstalledHearing({
    modelFolder: modelFolder(),
    pythonFolder: pythonFolder(),
    sampleSpeech: async () => ({ samples: sample, sampleRate: RATE }),
    clock,
    log,
  });
}

const speech = new Float32Array(RATE).fill(0.1);

// The stand-in for Python is a script.
describe.skipIf(process.platform === 'win32')('installed hearing', () => {
  test('is used when it is there at the start', async () => {
    await install();
    open();

    expect(await hearing.whenDecided).toBe('ready');
    expect(hearing.state).toBe('ready');
    expect(hearing.interims).toBe('repeated');
    expect((await hearing.recognize(speech, RATE)).text).toBe('1 seconds');
  });

  test('transcribes only whole utterances on a machine that takes a tenth of the time', async () => {
    await install();
    clock.stepMs = 110;
    open();

    expect(await hearing.whenDecided).toBe('ready');
    expect(hearing.interims).toBeNull();
  });

  test('is used as soon as it is installed', async () => {
    open();
    expect(hearing.state).toBe('pending');
    await expect(hearing.recognize(speech, RATE)).rejects.toThrow('not installed');
    clock.advance(LOOK_EVERY_MS);
    expect(hearing.pid).toBeUndefined();

    await install();
    clock.advance(LOOK_EVERY_MS);

    expect(await hearing.whenDecided).toBe('ready');
  });

  test('is not used before both parts are complete', async () => {
    await install();
    await rm(path.join(modelFolder(), 'ready'));
    open();
    clock.advance(LOOK_EVERY_MS);

    expect(hearing.pid).toBeUndefined();
  });

  test('stays when its program is killed', async () => {
    await install();
    open();
    await hearing.whenDecided;
    const { pid } = hearing;

    process.kill(pid!, 'SIGKILL');
    await until(() => hearing.pid === undefined);
    const transcript = hearing.recognize(speech, RATE);
    clock.advance(500);

    expect((await transcript).text).toBe('1 seconds');
    expect(hearing.pid).not.toBe(pid);
    expect(hearing.state).toBe('ready');
  });

  test('is given up on a machine that takes more than half the time, after three measurements', async () => {
    await install();
    clock.stepMs = 600;
    open();

    for (const _ of 'ab') {
      await until(() => clock.dueIn(60_000) === 1);
      clock.advance(60_000);
    }

    expect(await hearing.whenDecided).toBe('too_slow');
    expect(hearing.state).toBe('too_slow');
  });

  test('is used on a machine that was busy only at the start', async () => {
    await install();
    clock.stepMs = 600;
    open();
    await until(() => clock.dueIn(60_000) === 1);
    clock.stepMs = 0;
    clock.advance(60_000);

    expect(await hearing.whenDecided).toBe('ready');
  });

  test('is not used when its model understands nothing', async () => {
    sample = new Int16Array(0);
    await install();
    open();
    await until(() => hearing.pid !== undefined);
    clock.advance(LOOK_EVERY_MS);
    await until(() => clock.waiting === 0);

    expect(hearing.state).toBe('pending');
  });

  test('stays absent while its program cannot start', async () => {
    await install('console.error("no module named onnxruntime"); process.exit(1)');
    open();

    await until(() => hearing.pid === undefined && clock.nextInMs !== null);

    expect(hearing.state).toBe('pending');
  });
});
