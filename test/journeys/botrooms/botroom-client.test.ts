import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWave } from '../../../workers/studio/wave-file.ts';
import { isPipecatThere, python } from '../../support/agents/pipecat-pipeline.ts';
import { API_KEY, WORKER_TOKEN } from '../../support/api/build-app.ts';
import {
  startControlProcess,
  type ControlProcess,
} from '../../support/processes/control-process.ts';
import { startWorker, type WorkerProcess } from '../../support/processes/worker-process.ts';
import { risingTone, utterancesIn } from '../../support/sound/rising-tone.ts';
import { waveOf } from '../../support/sound/wave.ts';
import { until } from '../../support/until.ts';

const RATE = 16_000;
const SECONDS = 3;
const HEARD_RATE = 48_000;

let folder: string;
let plane: ControlProcess;
let worker: WorkerProcess;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-botroom-'));
  const env = { WORKER_TOKEN, TROUPE_API_KEY: API_KEY };
  plane = await startControlProcess({ DATA_DIR: folder, ...env });
  worker = await startWorker({ address: plane.url, dataDir: folder }, env);
});
afterAll(async () => {
  await worker?.kill();
  await plane?.kill();
  await rm(folder, { recursive: true });
});

// `.ci/run` makes the Python environment and fails without it.
test.skipIf(!isPipecatThere)(
  'the documented client hears what it said, from a face that moves',
  async () => {
    const client = path.resolve('src/web/docs/samples/client.py');
    const speechFile = path.join(folder, 'said.wav');
    await writeFile(speechFile, waveOf(risingTone(RATE, SECONDS), RATE));
    const out = await mkdtemp(path.join(folder, 'out-'));

    const { stdout } = await promisify(execFile)(python, [client, speechFile], {
      cwd: out,
      env: { TROUPE_URL: plane.url, TROUPE_API_KEY: API_KEY },
    });

    expect(stdout).toMatch(/^\d+ pictures, and the sound in heard.wav\n$/);
    const pictures = (await readdir(out)).filter((name) => name.endsWith('.jpg'));
    // A picture that does not change is not sent again, and a tone keeps the mouth open.
    expect(pictures.length).toBeGreaterThan(10);
    const recording = readWave(path.join(out, 'heard.wav'));
    const samples = new Int16Array(new Uint8Array(recording.pcm).buffer);
    expect(recording.sampleRate).toBe(HEARD_RATE);
    expect(utterancesIn(samples)).toEqual([
      {
        seconds: expect.closeTo(SECONDS, 1),
        startSecond: expect.closeTo(0, 1),
        endSecond: expect.closeTo(SECONDS, 1),
      },
    ]);
    const endReasons = async () => {
      const response = await fetch(`${plane.url}/v1/sessions`, {
        headers: { 'x-api-key': API_KEY },
      });
      const { data } = (await response.json()) as { data: { end_reason?: string }[] };
      return data.map(({ end_reason }) => end_reason);
    };
    // The worker reports the end after the client's socket has closed.
    await until(async () => (await endReasons())[0] !== undefined);
    expect(await endReasons()).toEqual(['ended_by_client']);
  },
);
