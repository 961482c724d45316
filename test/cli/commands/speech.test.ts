import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listen } from '../../support/loopback.ts';
import { troupe } from '../run-troupe.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-speech-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const speech = (args: string[], env: Record<string, string> = {}) =>
  troupe(['speech', ...args], { env: { DATA_DIR: dataDir, ...env } });

describe('troupe speech', () => {
  test('lists the models with size, licence and languages', async () => {
    const { code, stdout } = await speech(['list']);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^whisper-base +208 MB +not installed +by utterance +MIT +ar bg .*\bde\b/m,
    );
  });

  test('lists the address and checksum of each file as JSON', async () => {
    const { stdout } = await speech(['list', '--json']);

    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        id: 'whisper-base',
        address: expect.stringMatching(/^https:\/\/github\.com\/k2-fsa\//),
        archive: expect.stringMatching(/\.tar\.bz2$/),
        sha256: expect.stringMatching(/^[\da-f]{64}$/),
        source: expect.any(String),
        is_streaming: false,
        is_installed: false,
      }),
    );
  });

  test('refuses a language without a model', async () => {
    const { code, stderr } = await speech(['install', 'tlh']);

    expect(code).toBe(2);
    expect(stderr).toContain('There is no model for tlh');
  });

  test('fetches from the mirror, and refuses what is not the model', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.end('not a model');
    });
    const port = await listen(server);
    const mirror = { SPEECH_MODELS_MIRROR: `http://127.0.0.1:${port}/speech` };
    // As an earlier installation leaves it.
    await mkdir(path.join(dataDir, 'speech-models/python'), { recursive: true });
    await writeFile(path.join(dataDir, 'speech-models/python/ready'), '');

    const { code, stderr } = await speech(['install', 'it'], mirror);
    server.closeAllConnections();
    server.close();

    expect(asked).toEqual(['/speech/sherpa-onnx-whisper-base.tar.bz2']);
    expect(code).toBe(1);
    expect(stderr).toContain('ended after 11 of 207557382 bytes');
  });
});
