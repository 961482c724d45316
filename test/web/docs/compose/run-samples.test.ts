/*
 * Runs samples of the pages as their readers would, against one service: everything sent by curl,
 * and whole programs. Samples of the API reference run in ../api/recorded-examples.test.ts, agents
 * in test/journeys/vendors/docs-agents.test.ts, bots as deploy/examples.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { readBlocks, type Sample } from '../../../../src/web/docs/compose/blocks.ts';
import { SERVICE } from '../../../../src/web/docs/compose/service-address.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../../support/api/admin.ts';
import { addAgent } from '../../../support/api/agent.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../../support/api/build-app.ts';
import { WebhookSink } from '../../../support/api/webhook-sink.ts';
import { newApi } from '../../../support/api/resources.ts';
import { node, python, shell } from '../../../support/docs/sample-runners.ts';
import { docsPages } from '../../../support/pages/docs.ts';

// .ci/run makes the environment and fails without it; elsewhere Python is optional.
const PYTHON = `${process.env['TROUPE_PYTHON_CLIENTS']}/1.8.9/bin/python`;
const OWN_CLIENT = path.resolve('src/clients/python/src');
const OWN_PACKAGES = new URL('../../../../src/start/examples/own-packages.mjs', import.meta.url);

/** Pages whose samples in Python and TypeScript are whole programs. */
const PROGRAMS = ['bundle-format', 'sdks'];

type PageSample = Sample & { page: string };
const samples: PageSample[] = (await docsPages())
  .filter(({ name }) => !name.startsWith('api') && !name.startsWith('coming-from'))
  .flatMap(({ name, markdown }) =>
    readBlocks(markdown).flatMap((block) => {
      if (block.type === 'text') return [];
      const samplesOfBlock = block.type === 'sample' ? [block] : block.samples;
      return samplesOfBlock.map((sample) => ({ ...sample, page: name }));
    }),
  );
const isRequest = (line: string) => line.startsWith('curl ') && line.includes(`${SERVICE}/`);
const isKey = (line: string) => line.startsWith('npm run key ');
/** Nothing else than requests: other commands would change this machine. */
const requests = samples.filter(({ language, text }) => {
  const lines = text.replaceAll('\\\n', '').split('\n').filter(Boolean);
  return (
    language === 'sh' &&
    lines.some(isRequest) &&
    lines.every((each) => isRequest(each) || isKey(each))
  );
});
const programs = (language: string) =>
  samples.filter((sample) => sample.language === language && PROGRAMS.includes(sample.page));

/** The sample that receives webhooks. */
const receiverIn = (receiverLanguage: string): string =>
  samples.find(({ page, language }) => page === 'webhooks' && language === receiverLanguage)!.text;

/** The reader's own, before the sample: keeps what answers a request. */
const WEB_SERVER = 'let answer;\nconst app = { post: (_, listener) => (answer = listener) };\n';
/** After the sample: the event, and a forged one. */
const DELIVERIES = `
const headers = JSON.parse(process.env.HEADERS);
const response = { sendStatus: (status) => console.log(status) };
answer({ rawBody: process.env.BODY, headers }, response);
try {
  answer({ rawBody: process.env.BODY.replace('test', 'tess'), headers }, response);
} catch (error) {
  console.log(error.name === 'WebhookVerificationError' ? 'refused' : error);
}
`;

/** The web server in Python. */
const FASTAPI = `
import sys, types

class Request:
    def __init__(self, body, headers):
        self.headers, self._body = headers, body
    async def body(self):
        return self._body

class Response:
    def __init__(self, status_code):
        self.status_code = status_code

class HTTPException(Exception):
    def __init__(self, status_code, detail):
        self.status_code = status_code

class FastAPI:
    def post(self, path):
        return lambda answer: answer

sys.modules["fastapi"] = types.SimpleNamespace(
    FastAPI=FastAPI, HTTPException=HTTPException, Request=Request, Response=Response
)
`;
/** After the sample in Python: the event, and a forged one. */
const DELIVERIES_IN_PYTHON = `
import asyncio, json

def deliver(body):
    request = Request(body.encode(), json.loads(os.environ["HEADERS"]))
    try:
        print(asyncio.run(receive(request)).status_code)
    except HTTPException as error:
        print(error.status_code)

deliver(os.environ["BODY"])
deliver(os.environ["BODY"].replace("test", "tess"))
`;

let folder: string;
let service: BuiltApp;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-docs-'));
  await cp('test/fixtures/photo/astronaut.jpg', path.join(folder, 'ada.jpg'));
  for (const name of ['workers', 'node_modules'])
    await symlink(path.resolve(name), path.join(folder, name));
  service = await buildApp({
    clock: systemClock,
    env: { TROUPE_ADMIN_PASSWORD },
    // No server runs at the hosts of samples.
    resolve: (_, __, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const file = { name: 'Opening hours', format: 'text', content: 'It opens at nine.' };
  const stored = await service.call('POST', '/v1/knowledge-files', { payload: file });
  const operator = await makeAccount(service, 'free', 'operator');
  env = {
    KEY: API_KEY,
    TROUPE_API_KEY: API_KEY,
    TROUPE_URL: service.url,
    TROUPE_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    OPERATOR_KEY: operator.headers['x-api-key'],
    FILE_ID: stored.json<{ id: string }>().id,
    THEIR_KEY: 'a-key-of-another-service',
  };
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** The value of `$ID` on a page. */
const IDS: Record<string, () => Promise<string>> = {
  agents: () => newApi(service),
  embed: async () => (await addAgent(service)).id,
  frames: async () => {
    const payload = { avatar_id: NORA };
    const reply = await service.call('POST', '/v1/sessions', { payload });
    return reply.json<{ id: string }>().id;
  },
  // A resource that no other sample needs.
  fleet: async () => (await service.join()).workerId,
};

const localText = ({ text }: PageSample): string =>
  text.replaceAll(SERVICE, service.url).replaceAll('YOUR_KEY', API_KEY);

// A busy machine takes many times as long as an idle one.
describe('the samples of the pages', () => {
  test('by curl succeed', async () => {
    const pages = new Set(requests.map(({ page }) => page));
    expect([...pages].toSorted()).toEqual(
      expect.arrayContaining([
        'agents',
        'botroom',
        'embed',
        'fleet',
        'frames',
        'own-avatar',
        'pipecat',
        'webhooks',
      ]),
    );

    const runner = shell(folder);
    for (const sample of requests) {
      const ID = (await IDS[sample.page]?.()) ?? '';
      // Other tests run the commands of npm.
      const text = localText(sample).replaceAll(/^npm run .*\n/gm, '');
      await runner.run(text, { ...env, ID });
    }
    await runner.close();
  });

  test('in TypeScript run', async () => {
    const runner = node(folder, ['--import', OWN_PACKAGES.href]);
    expect(programs('ts').length).toBeGreaterThan(5);

    for (const sample of programs('ts')) await runner.run(localText(sample), env);
    await runner.close();
  });

  describe('that receive an event', () => {
    let received: Record<string, string>;
    beforeAll(async () => {
      const sink = await WebhookSink.open();
      const payload = { url: sink.url, events: ['session.ended'] };
      const response = await service.call('POST', '/v1/webhooks', { payload });
      // The event `test`, sent at once.
      const [event] = await sink.arrived(1);
      await sink.close();
      received = {
        TROUPE_WEBHOOK_SECRET: response.json().secret,
        HEADERS: JSON.stringify(event!.headers),
        BODY: event!.body,
      };
    });

    test('check its signature in JavaScript', async () => {
      const runner = node(folder, ['--import', OWN_PACKAGES.href]);
      const printed = await runner.run(`${WEB_SERVER}${receiverIn('js')}${DELIVERIES}`, received);
      await runner.close();

      expect(printed).toBe('204\nrefused\n');
    });

    test.skipIf(!existsSync(PYTHON))('check its signature in Python', async () => {
      const runner = python(PYTHON, folder, { PYTHONPATH: OWN_CLIENT });
      const text = `${FASTAPI}${receiverIn('python')}${DELIVERIES_IN_PYTHON}`;
      const printed = await runner.run(text, received);
      await runner.close();

      expect(printed).toBe('test\n204\n400\n');
    });
  });

  test.skipIf(!existsSync(PYTHON))('in Python run', async () => {
    const runner = python(PYTHON, folder, { PYTHONPATH: OWN_CLIENT });
    expect(programs('python').length).toBeGreaterThan(5);

    for (const sample of programs('python')) await runner.run(localText(sample), env);
    await runner.close();
  });
});
