/* Published Pipecat video services in real pipelines, against the whole service. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import {
  CONVERSATION,
  converse,
  converseInARoom,
  converseThroughAKill,
  IN_A_ROOM,
} from '../../stage/vendors/pipecat-conversations.ts';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import {
  documentedLine,
  isPipecatThere,
  PipecatPipeline,
} from '../../support/agents/pipecat-pipeline.ts';
import { NO_AGENTS, startService, type RunningService } from '../../support/processes/service.ts';
import { FIRST_AVATAR, SECOND_AVATAR } from '../../support/cast.ts';

const VENDORS = ['protoface', 'ojin'];

type Context = Pick<TestContext, 'onTestFinished'>;

async function start({ onTestFinished }: Context, line: string): Promise<PipecatPipeline> {
  const pipeline = await PipecatPipeline.start({ line, steps: [] });
  onTestFinished(() => pipeline.close());
  return pipeline;
}

const withPython = describe.skipIf(!isPipecatThere); // Python is optional outside CI.

withPython.concurrent('a Pipecat pipeline', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ env: NO_AGENTS });
  });
  afterAll(() => service?.stop());

  test.for([
    { vendor: 'protoface', avatar: FIRST_AVATAR.alias, ends: 'ended_by_client' },
    // It says nothing when it leaves.
    { vendor: 'ojin', avatar: SECOND_AVATAR.alias, ends: 'agent_left' },
  ])('with $vendor speaks, is interrupted and leaves', async ({ vendor, avatar, ends }) => {
    const { utterances, session } = await converse(service, vendor, avatar);

    expect(utterances).toHaveLength(CONVERSATION.length);
    expect(session.end_reason).toBe(ends);
  });

  test('with ojin speaks in a LiveKit room', async () => {
    const { utterances, errors } = await converseInARoom(service);

    expect(utterances).toHaveLength(IN_A_ROOM.length);
    expect(errors).toEqual([]);
  });

  test.for(VENDORS)(
    'with %s shows the fallback avatar for an unknown one',
    async (vendor, context) => {
      await service.hasFreeSlot();
      const line = documentedLine(vendor, service.address, service.apiKey).replace(
        FIRST_AVATAR.alias,
        'theirs',
      );

      const pipeline = await start(context, line);
      await pipeline.next('seen');
      await pipeline.next('left');

      expect((await pipeline.output()).pictures.length).toBeGreaterThan(0);
    },
  );

  test.for([
    { vendor: 'protoface', text: /Protoface API returned 401: .*Invalid API key/ },
    // Pipecat hides the word before "API key".
    { vendor: 'ojin', text: /^AUTH_FAILED: \S+ API key\.$/ },
  ])('with $vendor and a wrong key fails with the reason', async ({ vendor, text }, context) => {
    const pipeline = await start(context, documentedLine(vendor, service.address, 'wrong'));

    const error = await pipeline.next<{ text: string; fatal: boolean }>('error');

    expect(error.text).toMatch(text);
    expect(error.fatal).toBe(true);
  });
});

/** Refusals that a control plane by itself can be made to give. */
withPython.concurrent('a Pipecat pipeline that is refused', () => {
  test.for([
    { vendor: 'protoface', text: /Protoface API returned 503: .*avatar worker/ },
    { vendor: 'ojin', text: /^NO_BACKEND_SERVER_AVAILABLE: .*avatar worker/ },
  ])('by $vendor for want of a slot fails with the reason', async ({ vendor, text }, context) => {
    const app = await buildApp({ slots: 0, env: { SLOT_WAIT_MS: '0' } });
    context.onTestFinished(() => app.close());

    const pipeline = await start(context, documentedLine(vendor, app.url, API_KEY));

    expect((await pipeline.next<{ text: string }>('error')).text).toMatch(text);
    await pipeline.next('left');
  });

  test('by protoface for an expired token fails with the reason', async (context) => {
    const app = await buildApp();
    context.onTestFinished(() => app.close());
    const slow = await delayed(app, 11 * 60_000);
    context.onTestFinished(() => void slow.close());
    const { port } = slow.address() as AddressInfo;

    const address = `http://127.0.0.1:${port}`;
    const pipeline = await start(context, documentedLine('protoface', address, API_KEY));

    const { text } = await pipeline.next<{ text: string }>('error');
    expect(text).toBe('Protoface avatar media stream failed: The token has expired.');
    await pipeline.next('left');
  });
});

/** A proxy whose answers take `ms` of the app's time. */
async function delayed(app: BuiltApp, ms: number): Promise<Server> {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '' } = request.headers;
    const answer = await fetch(new URL(request.url!, app.url), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    });
    const body = await answer.text();
    await app.clock.pass(ms);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

withPython('a Pipecat pipeline whose worker is killed in mid-speech', () => {
  const env = { WORKER_TOKEN: 'a token that all workers know', LOG_LEVEL: 'info' };
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ env: { ...NO_AGENTS, ...env, WORKER_POOL: 'nobody' } });
  });
  afterAll(() => service?.stop());

  test.for(VENDORS)('with %s goes on with the face of another', async (vendor) => {
    const { lastUtterance, backAfterMs, errors } = await converseThroughAKill(service, vendor, env);

    expect(lastUtterance.startSecond).toBeLessThan(0.5);
    expect(backAfterMs).toBeLessThan(Infinity);
    expect(errors).toEqual([]);
  });
});
