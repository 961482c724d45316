/*
 * A service with agents, keys, webhooks and an hour of sessions, for pictures and tests of its
 * pages.
 */
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';
import { drawSheets, showStills } from './stills.ts';
import { FIRST_AVATAR, SECOND_AVATAR, THIRD_AVATAR } from '../support/cast.ts';

export type Scene = {
  service: BuiltApp;
  /** A live session, one that ended well, and one that failed. */
  sessions: { live: string; ended: string; failed: string };
  /** The session of a live call. */
  callSession: string;
  agentId: string;
  webhookId: string;
};

const AVATARS = [FIRST_AVATAR.alias, SECOND_AVATAR.alias, THIRD_AVATAR.alias];

/** Time stands still afterwards: show pages at `service.clock.now()`. */
export async function openScene(env: Record<string, string> = {}): Promise<Scene> {
  const service = await buildApp({ slots: 8, env: { ALLOWED_NETWORKS: '127.0.0.0/8', ...env } });
  const worker = service.workers[0]!;
  await Promise.all([showStills(worker), drawSheets(worker)]);
  const make = async (path: string, payload: object): Promise<string> => {
    const answer = await service.call('POST', path, { payload });
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.body}`);
    return answer.json().id;
  };

  const guide = await make('/v1/knowledge-files', {
    name: 'Opening hours and prices',
    format: 'text',
    content: 'The museum is open from ten to six, and until nine on Thursdays.',
  });
  const agentId = await make('/v1/agents', {
    name: `${FIRST_AVATAR.name} at the front desk`,
    avatar_id: FIRST_AVATAR.alias,
    system_prompt: 'You welcome the visitors of a museum and answer in one or two sentences.',
    greeting: 'Welcome to the museum. What would you like to see?',
    knowledge_files: [guide],
  });
  await make('/v1/agents', {
    name: `${SECOND_AVATAR.name}, tutor`,
    avatar_id: SECOND_AVATAR.alias,
    system_prompt: 'You help pupils with mathematics, one step at a time.',
    language: 'en-GB',
  });
  await make('/v1/external-apis', {
    type: 'openai_compatible_llm',
    name: 'Our language model',
    url: 'http://127.0.0.1:9/v1',
    api_key: 'a-key-of-the-model',
  });
  const webhookId = await make('/v1/webhooks', {
    url: 'http://127.0.0.1:9/troupe',
    events: ['session.started', 'session.ended', 'call.ended'],
    description: 'Customer records',
  });

  const open = (avatar: string) =>
    make('/v1/sessions', { avatar_id: avatar, metadata: { customer: 'Museum of Light' } });
  for (let count = 0; count < 24; count += 1) {
    const id = await open(AVATARS[count % AVATARS.length]!);
    await perform(service, worker, id);
    const placement = worker.performing.get(id)!.placement;
    await worker.ended(placement, count % 7 === 3 ? 'room_closed' : 'agent_left');
    service.clock.advance(75_000);
  }
  const ended = await open(FIRST_AVATAR.alias);
  await perform(service, worker, ended);
  await worker.ended(worker.performing.get(ended)!.placement, 'agent_left');
  service.clock.advance(30_000);
  const failed = await open(SECOND_AVATAR.alias);
  await assigned(worker, failed);
  const refusal = 'connection refused by media.example.com:443';
  await worker.ended(worker.performing.get(failed)!.placement, 'room_refused', 0, refusal);
  service.clock.advance(20_000);
  const live = await open(THIRD_AVATAR.alias);
  await perform(service, worker, live);
  const second = await open(FIRST_AVATAR.alias);
  await perform(service, worker, second);
  const callSession = await openCall(service, agentId);
  await perform(service, worker, callSession);
  await open(SECOND_AVATAR.alias);
  return { service, sessions: { live, ended, failed }, callSession, agentId, webhookId };
}

async function openCall({ call }: BuiltApp, agentId: string): Promise<string> {
  const answer = await call('POST', '/v1/calls', { payload: { agent_id: agentId } });
  return answer.json().session_id;
}

/** The worker may not have heard of the session yet. */
async function assigned(worker: SimulatedWorker, id: string): Promise<void> {
  while (!worker.performing.has(id)) await worker.next('assign');
}

/** Half a minute of a conversation with an interruption and some missed frames. */
async function perform(service: BuiltApp, worker: SimulatedWorker, id: string): Promise<void> {
  await assigned(worker, id);
  const { placement } = worker.performing.get(id)!;
  const note = (kind: string, fields: object = {}) => {
    worker.say({ type: 'noted', placement, happenings: [{ kind, agoMs: 0, ...fields }] });
  };
  service.clock.advance(380);
  note('joined');
  service.clock.advance(240);
  await worker.started(placement);
  for (const segment of [1, 2, 3, 4]) {
    service.clock.advance(1_900);
    note('speech_received', { segment });
    service.clock.advance(300);
    note('speech_started', { segment });
    await worker.atRest();
    const interrupted = segment === 3;
    const positionSeconds = interrupted ? 1.8 : 3 + segment;
    service.clock.advance(positionSeconds * 1_000);
    if (interrupted) note('interrupted', { segments: 1 });
    note('speech_finished', { segment, positionSeconds, interrupted });
    note('frames', { frameRate: segment === 2 ? 24.4 : 25, missedFrames: segment === 2 ? 6 : 0 });
    await worker.atRest();
  }
}
