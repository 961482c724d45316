import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Compile } from 'typebox/compile';
import {
  briefPath,
  CallBrief,
  linePath,
  WORKER_ID_HEADER,
  WORKER_SECRET_HEADER,
} from '#protocol/call-brief.ts';
import { LOOPBACK_NETWORKS } from '#shared/network/address-policy.ts';
import type { Placement } from '#protocol/placement.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, THEO, WORKER_TOKEN, type BuiltApp } from '../../support/api/build-app.ts';
import { loseWorker } from '../../support/api/lose-worker.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
const start = async (options: Parameters<typeof buildApp>[0] = {}) => {
  service = await buildApp(options);
};
const close = () => service.close();

const LOOPBACK = 'http://127.0.0.1:9/v1';

type Sent = {
  token?: string | null;
  worker?: SimulatedWorker;
  headers?: Record<string, string>;
  payload?: object;
};

/** Request of the first worker, unless another is given. */
const ask = (method: 'GET' | 'PUT' | 'POST', url: string, request: Sent = {}) => {
  const { worker = service.agents[0]!, headers = worker.headers, token, payload } = request;
  const { authorization, ...otherHeaders } = headers;
  const sentAuthorization = token === undefined ? authorization : token && `Bearer ${token}`;
  return service.app.server.inject({
    method,
    url,
    headers: { ...otherHeaders, ...(sentAuthorization && { authorization: sentAuthorization }) },
    ...(payload && { payload }),
  });
};
const brief = async (callId: string) => (await ask('GET', briefPath(callId))).json() as CallBrief;
const say = (callId: string, lineId: string, payload: object) =>
  ask('PUT', linePath(callId, lineId), { payload });

async function openCall(agentFields: Parameters<typeof addAgent>[1] = {}, body: object = {}) {
  const agent = await addAgent(service, agentFields);
  const payload = { agent_id: agent.id, ...body };
  const { id } = (await service.call('POST', '/v1/calls', { payload })).json() as { id: string };
  const agentOrder = await service.agents[0]!.next('assign');
  const avatarOrder = await service.workers[0]!.next('assign');
  return { id, agent, held: agentOrder.placement, shown: avatarOrder.placement };
}
const addApi = async (type: string, url = LOOPBACK): Promise<string> => {
  const payload = { type, name: type, url, api_key: `key-of-${type}` };
  return (await service.call('POST', '/v1/external-apis', { payload })).json().id;
};
const addFile = async (content: string): Promise<string> => {
  const payload = { name: 'Prices', format: 'text', content };
  return (await service.call('POST', '/v1/knowledge-files', { payload })).json().id;
};
/** Crashes the first worker and waits until `successor` takes over its call. */
async function takesOver(successor: SimulatedWorker): Promise<Placement> {
  await loseWorker(service, () => service.agents[0]!.crash());
  await until(() => successor.performing.size > 0);
  return (await successor.next('assign')).placement;
}
const messagesOf = async (id: string) =>
  (await service.call('GET', `/v1/calls/${id}/messages`)).json();

describe('the brief of a call', () => {
  beforeEach(() => start());
  afterEach(close);

  test('contains the agent’s settings, its user and its avatar', async () => {
    const { id } = await openCall(
      { name: 'Ada', systemPrompt: 'You sell shoes.', greeting: 'Hi!', language: 'de' },
      { user_name: 'Zoë' },
    );

    const receivedBrief = await brief(id);

    expect(Compile(CallBrief).Check(receivedBrief)).toBe(true);
    const [identities] = service.rooms.identities;
    expect(receivedBrief).toEqual({
      callId: id,
      agentName: 'Ada',
      systemPrompt: 'You sell shoes.',
      greeting: 'Hi!',
      language: 'de',
      leftMs: 30 * 60_000,
      user: { identity: identities!.viewer, name: 'Zoë' },
      faceIdentity: 'avatar_worker',
      llm: null,
      stt: null,
      tts: null,
      voice: 'nora',
      turnTaking: { patience: 'medium', interruptibility: 'medium' },
      hasKnowledge: false,
      budget: {
        spent: { modelTokens: 0, speechCharacters: 0, texts: 0 },
        left: { modelTokens: 500_000, speechCharacters: 100_000, seconds: 5_400 },
        textsPerTenMinutes: 60,
      },
      lines: [],
    });
  });

  test('contains how the agent takes turns and speaks, and what wakes it', async () => {
    const turnTaking = { patience: 'high', interruptibility: 'low' } as const;
    const capabilities = [{ type: 'wakeup_mode' as const, triggers: ['hey assistant'] }];
    const { id } = await openCall({ turnTaking, voice: 'ines', capabilities });

    const wakeUpPhrases = ['hey assistant'];
    expect(await brief(id)).toMatchObject({ turnTaking, voice: 'ines', wakeUpPhrases });
  });

  test('contains the remaining time and the messages so far', async () => {
    const { id, shown } = await openCall({ avatarId: THEO, maxSessionLengthMinutes: 2 });
    await service.workers[0]!.started(shown);
    await service.agents[0]!.atRest();
    await say(id, 'line-1', { sender: 'ai', text: 'Hello!', agoMs: 0 });
    service.clock.advance(15_000);

    expect(await brief(id)).toMatchObject({
      leftMs: 105_000,
      voice: 'theo',
      lines: [{ sender: 'ai', text: 'Hello!' }],
    });
  });

  test('contains the agent’s own endpoints with their keys', async () => {
    const [llm, stt, tts] = [
      await addApi('openai_compatible_llm'),
      await addApi('openai_compatible_stt'),
      await addApi('openai_compatible_tts'),
    ];
    const type = 'openai_compatible' as const;
    const { id } = await openCall({
      llm: { type, apiId: llm, model: 'small', temperature: 0.2 },
      stt: { type, apiId: stt, model: 'ears' },
      tts: { type, apiId: tts, model: 'mouth', voice: null },
    });

    const [url, networks] = [LOOPBACK, LOOPBACK_NETWORKS];
    expect(await brief(id)).toMatchObject({
      llm: { url, key: 'key-of-openai_compatible_llm', model: 'small', temperature: 0.2, networks },
      stt: { url, key: 'key-of-openai_compatible_stt', model: 'ears', networks },
      tts: { url, key: 'key-of-openai_compatible_tts', model: 'mouth', voice: 'alloy', networks },
    });
  });

  test('contains the service’s default models', async () => {
    await service.close();
    await start({ env: { OPENAI_API_KEY: 'sk-ours' } });
    const { id } = await openCall({ llm: { type: 'openai' } });

    const [url, key] = ['https://api.openai.com/v1', 'sk-ours'];
    expect(await brief(id)).toMatchObject({
      llm: { url, key, model: 'gpt-4.1-mini', temperature: null },
      stt: { url, key, model: 'gpt-4o-mini-transcribe' },
      tts: { url, key, model: 'gpt-4o-mini-tts', voice: 'alloy' },
    });
  });

  test('contains no default speech models for an address other than OpenAI’s', async () => {
    await service.close();
    const url = 'http://models.internal/v1';
    await start({ env: { OPENAI_BASE_URL: `${url}/`, OPENAI_MODEL: 'llama' } });
    const { id } = await openCall();

    expect(await brief(id)).toMatchObject({
      llm: { url, key: null, model: 'llama', temperature: null },
      stt: null,
      tts: null,
    });
  });

  test('omits an address that is no longer allowed', async () => {
    const apiId = await addApi('openai_compatible_llm');
    const type = 'openai_compatible' as const;
    const agent = { llm: { type, apiId, model: 'small', temperature: 0 } };
    const { id } = await openCall(agent);
    const { workers, agents, place } = service;
    const records = place.open();
    // As after a change of ALLOWED_NETWORKS.
    const url = 'http://10.0.0.1/v1';
    await records.updateTable('external_apis').set({ url }).execute();
    await records.destroy();

    expect((await brief(id)).llm).toBeNull();
    expect(workers.length + agents.length).toBe(2);
  });

  test('is readable only by the worker that holds the conversation', async () => {
    const { id, held: agentPlacement } = await openCall();
    const otherWorker = await service.joinAgent();
    const refused = async (request: Sent) => (await ask('GET', briefPath(id), request)).statusCode;

    expect(await refused({ worker: otherWorker })).toBe(404);
    expect(await refused({ worker: service.workers[0]! })).toBe(404);
    expect(await refused({ headers: { authorization: `Bearer ${WORKER_TOKEN}` } })).toBe(404);
    const { workerId } = service.agents[0]!;
    const posing: Record<string, string> = { ...otherWorker.headers, [WORKER_ID_HEADER]: workerId };
    expect(await refused({ headers: posing })).toBe(404);
    const { [WORKER_SECRET_HEADER]: _, ...secretless } = posing;
    expect(await refused({ headers: secretless })).toBe(404);
    expect(await refused({ token: null })).toBe(401);
    expect(await refused({ token: 'wrong' })).toBe(401);
    expect((await ask('GET', briefPath('nobody'))).statusCode).toBe(404);

    service.agents[0]!.crash();
    await until(async () =>
      (await service.app.server.inject('/metrics')).body.includes('workers{kind="agent"'),
    );
    await otherWorker.atRest();
    await service.clock.pass(1_000);
    expect(await otherWorker.next('assign')).toMatchObject({
      placement: { ...agentPlacement, epoch: 2 },
    });
    expect(await refused({})).toBe(404);
    expect(await refused({ worker: otherWorker })).toBe(200);

    await otherWorker.ended({ ...agentPlacement, epoch: 2 }, 'room_empty');
    expect(await refused({ worker: otherWorker })).toBe(404);
  });

  test('keeps the agent’s settings from the start of the call', async () => {
    const file = await addFile('Sandals cost 25 euros.');
    const { id, agent } = await openCall({ systemPrompt: 'Be kind.', knowledgeFileIds: [file] });
    const payload = { system_prompt: 'Be rude.', knowledge_files: [] };
    await service.call('PATCH', `/v1/agents/${agent.id}`, { payload });

    expect(await brief(id)).toMatchObject({ systemPrompt: 'Be kind.', hasKnowledge: true });
  });

  test('is readable by a successor worker even after the agent was deleted', async () => {
    const apiId = await addApi('openai_compatible_llm');
    const llm = { type: 'openai_compatible', apiId, model: 'small', temperature: 0.5 } as const;
    const { id, agent } = await openCall({ name: 'Ada', systemPrompt: 'Be kind.', llm });
    await say(id, 'line-1', { sender: 'ai', text: 'Hello!', agoMs: 0 });
    await service.call('DELETE', `/v1/agents/${agent.id}`);
    const otherWorker = await service.joinAgent();

    await takesOver(otherWorker);

    const briefReply = await ask('GET', briefPath(id), { worker: otherWorker });
    expect(briefReply.json()).toMatchObject({
      agentName: 'Ada',
      systemPrompt: 'Be kind.',
      llm: { model: 'small', temperature: 0.5, key: 'key-of-openai_compatible_llm' },
      lines: [{ sender: 'ai', text: 'Hello!' }],
    });
  });

  test('is not found for a deleted agent if the call stored no settings', async () => {
    const { id, agent } = await openCall();
    const records = service.place.open();
    await records.updateTable('calls').set({ agent: null }).execute();
    await records.destroy();

    expect((await brief(id)).agentName).toBe(agent.name);
    await service.call('DELETE', `/v1/agents/${agent.id}`);
    expect((await ask('GET', briefPath(id))).statusCode).toBe(404);
  });
});

const line = { sender: 'user', text: 'Hello?', agoMs: 1_500 };

describe('a line of a call', () => {
  beforeEach(() => start());
  afterEach(close);

  test('is stored once per id, with its time and latency', async () => {
    const { id } = await openCall();
    service.clock.advance(10_000);
    const latency = {
      transcriptMs: 120,
      firstTokenMs: 400.5,
      firstAudioMs: null,
      firstFrameMs: 900,
    };

    const answers = [
      await say(id, 'line-1', line),
      await say(id, 'line-1', { ...line, text: 'Something else' }),
      await say(id, 'line-2', { sender: 'ai', text: 'Hello!', agoMs: 0, latency }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204]);
    expect(await messagesOf(id)).toEqual([
      { sender: 'user', message: 'Hello?', sent_at: '2026-01-01T12:00:08.500000+00:00' },
      {
        sender: 'ai',
        message: 'Hello!',
        sent_at: '2026-01-01T12:00:10.000000+00:00',
        latency: {
          transcript_ms: 120,
          first_token_ms: 400.5,
          first_audio_ms: null,
          first_frame_ms: 900,
        },
      },
    ]);
  });

  test('keeps its distance from an earlier one, whose request may have taken longer', async () => {
    const { id } = await openCall();
    service.clock.advance(10_000);
    await say(id, 'line-1', { ...line, agoMs: 0 });
    const since = { lineId: 'line-1', ms: 50 };

    await say(id, 'line-2', { sender: 'ai', text: 'Hi!', agoMs: 100, since });
    await say(id, 'line-3', {
      sender: 'ai',
      text: 'Well',
      agoMs: 0,
      since: { ...since, ms: -2_000 },
    });
    await say(id, 'line-4', {
      sender: 'ai',
      text: 'Bye',
      agoMs: 1_000,
      since: { lineId: '?', ms: 1 },
    });

    expect(await messagesOf(id)).toMatchObject([
      { message: 'Well', sent_at: '2026-01-01T12:00:08.000000+00:00' },
      { message: 'Bye', sent_at: '2026-01-01T12:00:09.000000+00:00' },
      { message: 'Hello?', sent_at: '2026-01-01T12:00:10.000000+00:00' },
      { message: 'Hi!', sent_at: '2026-01-01T12:00:10.000000+00:00' },
    ]);
  });

  test('is never dated before the call', async () => {
    const { id } = await openCall();

    await say(id, 'line-1', { ...line, agoMs: 3_600_000 });

    expect(await messagesOf(id)).toMatchObject([{ sent_at: '2026-01-01T12:00:00.000000+00:00' }]);
  });

  test('is accepted for a while after the call ended', async () => {
    const { id, held: agentPlacement } = await openCall();
    await service.agents[0]!.ended(agentPlacement, 'ended_by_client');

    expect((await say(id, 'line-1', line)).statusCode).toBe(204);
    service.clock.advance(5 * 60_000 + 1);
    expect((await say(id, 'line-2', line)).statusCode).toBe(404);
    expect(await messagesOf(id)).toHaveLength(1);
  });

  test('may come from the former worker, which gets no brief', async () => {
    const { id, held: agentPlacement } = await openCall();
    const [former, successor] = [service.agents[0]!, await service.joinAgent()];
    expect((await takesOver(successor)).epoch).toBe(agentPlacement.epoch + 1);

    const lineReply = await ask('PUT', linePath(id, 'line-1'), { worker: former, payload: line });

    expect(lineReply.statusCode).toBe(204);
    expect((await ask('GET', briefPath(id), { worker: former })).statusCode).toBe(404);
    const briefReply = await ask('GET', briefPath(id), { worker: successor });
    expect(briefReply.json().lines).toEqual([{ sender: 'user', text: 'Hello?' }]);
  });

  test('is refused for a call that another worker holds', async () => {
    const { id } = await openCall();
    const worker = await service.joinAgent();

    const reply = await ask('PUT', linePath(id, 'line-1'), { worker, payload: line });

    expect(reply.statusCode).toBe(404);
    expect(await messagesOf(id)).toEqual([]);
  });
});

describe('the text of a line', () => {
  beforeAll(() => start());
  afterAll(close);

  test.each([{ sender: 'nobody' }, { text: '' }, { text: 'a'.repeat(20_001) }, { agoMs: -1 }])(
    'is refused as %j',
    async (wrong) => {
      const { id } = await openCall();

      expect((await say(id, 'line-1', { ...line, ...wrong })).statusCode).toBe(422);
    },
  );

  test('may have the maximum length', async () => {
    const { id } = await openCall();

    const reply = await say(id, 'line-1', { ...line, text: '\u{1f600}'.repeat(10_000) });

    expect(reply.statusCode).toBe(204);
  });
});
