import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import type { installModel } from '../../src/speech-models/install-model.ts';
import { Installations } from '../../src/speech-models/installations.ts';
import { SPEECH_MODELS, type SpeechModel } from '../../src/speech-models/models.ts';
import { settle } from '../support/test-clock.ts';

type Running = PromiseWithResolvers<void> & {
  model: SpeechModel;
  progress: (share: number) => void;
};

const [german, spanish] = SPEECH_MODELS as [SpeechModel, SpeechModel];

let dataDir: string;
let installations: Installations;
/** Those that have begun. */
let running: Running[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-installations-'));
  running = [];
  const install: typeof installModel = (model, { signal, onProgress }) => {
    const done = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => done.reject(signal.reason), { once: true });
    running.push({ ...done, model, progress: onProgress });
    return done.promise;
  };
  const log = createLog({ name: 'test', level: 'silent' });
  installations = new Installations({ dataDir, mirror: undefined, install, log });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('installations of speech models', () => {
  test('run one after the other, with progress', async () => {
    expect(installations.stateOf(german)).toEqual({ type: 'missing' });
    installations.start(german);
    installations.start(spanish);
    installations.start(german);
    await settle();
    running[0]!.progress(0.5);

    expect(running.map(({ model }) => model.id)).toEqual([german.id]);
    expect(installations.stateOf(german)).toEqual({ type: 'installing', share: 0.5 });
    expect(installations.stateOf(spanish)).toEqual({ type: 'installing', share: 0 });

    running[0]!.resolve();
    await settle();

    expect(running.map(({ model }) => model.id)).toEqual([german.id, spanish.id]);
    await installations.close();
  });

  test('say what failed, keep no later one waiting, and are tried again', async () => {
    installations.start(german);
    installations.start(spanish);
    await settle();
    running[0]!.reject(new OperatorError('The disk is full.'));
    await settle();
    running[1]!.reject(new Error('secret detail'));
    await settle();

    expect(installations.stateOf(german)).toEqual({ type: 'failed', problem: 'The disk is full.' });
    expect(installations.stateOf(spanish)).toMatchObject({
      type: 'failed',
      problem: expect.not.stringContaining('secret'),
    });

    installations.start(german);
    await settle();
    expect(installations.stateOf(german)).toEqual({ type: 'installing', share: 0 });
    await installations.close();
  });

  test('end with the service', async () => {
    installations.start(german);
    await settle();

    await installations.close();

    expect(running).toHaveLength(1);
  });
});
