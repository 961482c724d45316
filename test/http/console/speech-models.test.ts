import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../support/loopback.ts';
import { Browser, personOf } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

const PATH = '/console/api/speech-models';

let service: BuiltApp;
let operator: Browser;
let viewer: Browser;
/** Answers of the mirror that are not complete. */
const answers: ServerResponse[] = [];
const mirror = createServer((_request, response) => void answers.push(response));

beforeAll(async () => {
  const SPEECH_MODELS_MIRROR = `http://127.0.0.1:${await listen(mirror)}`;
  service = await buildApp({ slots: 0, env: { SPEECH_MODELS_MIRROR }, sharesDataDir: true });
  operator = await new Browser(service).openHere();
  viewer = await personOf(service, operator, 'viewer');
  // As an earlier installation leaves it.
  const runtime = path.join(service.place.env.DATA_DIR, 'speech-models/python');
  await mkdir(runtime, { recursive: true });
  await writeFile(path.join(runtime, 'ready'), '');
});
afterAll(async () => {
  mirror.closeAllConnections();
  mirror.close();
  await service.close();
});

const read = async (browser: Browser) => (await browser.call('GET', PATH)).json();
const install = async (browser: Browser, id: string) =>
  (await browser.call('POST', `${PATH}/${id}/install`)).statusCode;
const german = async () => {
  const { data } = await read(operator);
  return data.find(({ id }: { id: string }) => id === 'kroko-de');
};
const newestEntry = async () => {
  const headers = { 'x-troupe-as': 'operator' };
  const { data } = (await operator.call('GET', '/v1/audit-log', undefined, { headers })).json();
  return data[0];
};

describe('speech models in the console', () => {
  test('are listed with the languages that agents hear', async () => {
    await service.joinAgent({ slots: 1, abilities: ['hears:en', 'hears:pt'] });

    const { heard, data } = await read(viewer);

    expect(heard).toEqual(['en', 'en-AU', 'en-GB', 'en-US', 'pt', 'pt-BR', 'pt-PT']);
    expect(data).toContainEqual({
      id: 'kroko-de',
      languages: ['de'],
      bytes: 57_565_698,
      licence: 'CC-BY-SA',
      source: expect.stringContaining('Kroko'),
      state: 'missing',
      share: 0,
      problem: null,
    });
  });

  test('are installed by operators only', async () => {
    expect((await read(viewer)).can_install).toBe(false);
    expect((await read(operator)).can_install).toBe(true);
    expect(await install(viewer, 'kroko-de')).toBe(403);
    expect(await install(new Browser(service), 'kroko-de')).toBe(401);
    expect(await install(operator, 'whisper-huge')).toBe(404);
    expect((await german()).state).toBe('missing');
  });

  test('show the progress of their installation, and why it failed', async () => {
    expect(await install(operator, 'kroko-de')).toBe(202);
    expect(await newestEntry()).toMatchObject({
      action: 'speech_model.installed',
      target_id: 'kroko-de',
      actor: { type: 'person' },
    });
    await until(() => answers.length === 1);
    answers[0]!.write(Buffer.alloc(1_000_000));
    await until(async () => (await german()).share > 0);
    expect((await german()).state).toBe('installing');

    answers[0]!.destroy();
    await until(async () => (await german()).state === 'failed');

    expect((await german()).problem).toContain('Try again to continue');
    expect(await install(operator, 'kroko-de')).toBe(202);
    await until(() => answers.length === 2);
    expect(answers[1]!.req.headers.range).toMatch(/^bytes=[1-9]/);
  });
});
