/* Runs a schedule, waits for the system to settle, and reports violations. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import type { SessionBody } from './client.ts';
import { AVATAR, OPERATOR_KEY } from './names.ts';
import { chanceOf, type Step } from './schedule.ts';
import type { Servers } from './servers.ts';
import { Stage } from './stage.ts';

/** Longer than an unclaimed avatar may stay in a room. */
const SETTLE_MS = 90_000;
const LOOK_EVERY_MS = 300;

/** Allowed end reasons. A schedule never demands more slots than the fleet has. */
const GOOD_REASONS = ['ended_by_client', 'agent_left'];

/** `isEnded` null: the client gave up and does not know. */
type Opened = { id: string; isEnded: boolean | null };

export async function play(servers: Servers, seed: number, schedule: Step[]): Promise<string[]> {
  const stage = await Stage.open(servers, chanceOf(seed));
  try {
    const opened = await perform(stage, seed, schedule);
    return [...(await settle(stage, opened)), ...stage.rooms.problems];
  } finally {
    await stage.close();
  }
}

/**
 * Steps start on schedule, even while earlier ones are running. Finally all faults are repaired.
 */
async function perform(stage: Stage, seed: number, schedule: Step[]): Promise<Opened[]> {
  const opened: Opened[] = [];
  const running: Promise<void>[] = [];
  // A part that is down gets no more faults until it is up again.
  const busy = new Set<string>();
  for (const [i, step] of schedule.entries()) {
    await sleep(step.afterMs);
    const name = nameOf(step);
    if (name !== null && busy.has(name)) continue;
    if (name !== null) busy.add(name);
    const token = `${seed}-${i}`;
    running.push(
      take(stage, step, opened, token).finally(() => name !== null && busy.delete(name)),
    );
  }
  await Promise.all(running);
  return opened;
}

function nameOf(step: Step): string | null {
  switch (step.type) {
    case 'kill_plane':
    case 'pause_plane':
      return `plane ${step.which}`;
    case 'kill_worker':
    case 'drain_worker':
    case 'pause_network':
    case 'slow_answers':
    case 'no_answers':
      return `worker ${step.which}`;
    case 'restart_redis':
      return 'redis';
    case 'restart_postgres':
      return 'postgres';
    case 'cut_worker':
    case 'open':
    case 'end':
    case 'list':
    case 'agent_leaves':
      return null;
  }
}

async function take(stage: Stage, step: Step, opened: Opened[], token: string): Promise<void> {
  const { servers, workers, rooms, client } = stage;
  switch (step.type) {
    case 'kill_plane':
      await stage.killPlane(step.which);
      await sleep(step.forMs);
      return startPlane(stage, step.which);
    case 'pause_plane': {
      const resume = stage.pausePlane(step.which);
      await sleep(step.forMs);
      return resume();
    }
    case 'cut_worker':
      return workers[step.which]!.network.cut();
    case 'kill_worker':
      await workers[step.which]!.kill();
      await sleep(step.forMs);
      return stage.startWorker(step.which);
    case 'drain_worker': {
      // Start the successor first, as in a rolling update.
      const leaving = workers[step.which]!;
      await stage.startWorker(step.which);
      return leaving.drain();
    }
    case 'pause_network': {
      const { network } = workers[step.which]!;
      network.pause();
      await sleep(step.forMs);
      return network.resume();
    }
    case 'slow_answers':
    case 'no_answers': {
      const worker = workers[step.which]!;
      worker.answers = step.type === 'slow_answers' ? 'slowly' : 'never';
      await sleep(step.forMs);
      worker.answers = 'at once';
      return;
    }
    case 'restart_redis':
      await servers.redis.kill();
      await sleep(step.forMs);
      return servers.redis.start();
    case 'restart_postgres':
      await servers.postgres.stop();
      await sleep(step.forMs);
      return servers.postgres.start();
    case 'open': {
      const request = { avatar_id: AVATAR, url: 'wss://media.example', token: await jwt(token) };
      const answer = await client.call<SessionBody>('POST', '/v1/sessions', request);
      if (answer?.status === 201) opened.push({ id: answer.body.id, isEnded: false });
      return;
    }
    case 'end': {
      const session = opened.find(({ isEnded }) => isEnded === false);
      if (!session) return;
      session.isEnded = true;
      const answer = await client.call('POST', `/v1/sessions/${session.id}/end`, {});
      if (answer?.status !== 200) session.isEnded = null;
      return;
    }
    case 'agent_leaves': {
      const session = opened.findLast(({ isEnded }) => isEnded === false);
      if (!session) return;
      session.isEnded = true;
      return rooms.agentLeaves(session.id);
    }
    case 'list':
      await client.call('GET', '/v1/sessions');
  }
}

/** Retries, because the process does not start without its database or Redis. */
async function startPlane(stage: Stage, which: number): Promise<void> {
  for (;;) {
    try {
      return await stage.startPlane(which);
    } catch {
      await sleep(500);
    }
  }
}

/** A token of a media server, with a separate room for each. */
const jwt = (name: string): Promise<string> =>
  new SignJWT({
    jti: name,
    exp: Math.floor(Date.now() / 1000) + 3_600,
    video: { roomJoin: true, room: name },
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new Uint8Array(32));

async function settle(stage: Stage, opened: Opened[]): Promise<string[]> {
  const unsettled = await inTime(() => problemsOf(stage, opened));
  if (unsettled.length > 0) return unsettled;
  await Promise.all(
    opened.map(({ id }) => stage.client.call('POST', `/v1/sessions/${id}/end`, {})),
  );
  return inTime(() => leftOvers(stage, opened));
}

/** Checks until no problem is left or the time is over; returns the remaining problems. */
async function inTime(look: () => Promise<string[]>): Promise<string[]> {
  const endsAt = performance.now() + SETTLE_MS;
  for (;;) {
    const problems = await look();
    if (problems.length === 0 || performance.now() > endsAt) return problems;
    await sleep(LOOK_EVERY_MS);
  }
}

/** While sessions may be live: each is over or performed exactly once, and all counts agree. */
async function problemsOf(stage: Stage, opened: Opened[]): Promise<string[]> {
  const problems = await auditOf(stage);
  for (const { id, isEnded } of opened) {
    const session = await find(stage, id);
    const act = stage.rooms.seated.get(id);
    const state = session?.status.type;
    if (state === 'completed') {
      const reason = session?.end_reason ?? '';
      if (act) problems.push(`${id} is completed but performed by ${act.worker}`);
      if (isEnded === false || !GOOD_REASONS.includes(reason))
        problems.push(`${id} ended as ${reason}`);
    } else if (isEnded)
      problems.push(`${id} should be over but is ${state}, performed by ${act?.worker}`);
    else if (!act) problems.push(`${id} is ${state} but not performed`);
    else if (state !== 'ongoing') problems.push(`${id} is performed but ${state}`);
  }
  return problems;
}

/** After all sessions have ended: no resources are left, and each event was reported once. */
async function leftOvers(stage: Stage, opened: Opened[]): Promise<string[]> {
  const problems = await auditOf(stage);
  for (const { worker, sessionId } of stage.rooms.acts)
    problems.push(`${sessionId} is performed by ${worker} after its end`);
  for (const { id } of opened) {
    const session = await find(stage, id);
    if (session?.status.type !== 'completed') {
      problems.push(`${id} is not completed`);
      continue;
    }
    // A session that ended before its first frame has no start event.
    const { started_at, ended_at } = session.status;
    const wasSeen = started_at !== ended_at;
    const started = stage.receiver.count('session.started', id);
    const ended = stage.receiver.count('session.ended', id);
    if (ended !== 1 || started > 1 || (wasSeen && started === 0))
      problems.push(`${id} was reported as started ${started} times, as ended ${ended} times`);
  }
  return problems;
}

type Audit = { agrees: boolean; leases: number; differences: { kind: string }[] };

async function auditOf(stage: Stage): Promise<string[]> {
  const answer = await stage.client.once<Audit>('GET', '/v1/fleet/audit', undefined, OPERATOR_KEY);
  if (answer?.status !== 200) return [`the audit responded with ${answer?.status}`];
  return answer.body.differences.map((difference) => `audit: ${JSON.stringify(difference)}`);
}

async function find(stage: Stage, id: string): Promise<SessionBody | null> {
  const answer = await stage.client.once<SessionBody>('GET', `/v1/sessions/${id}`);
  return answer?.status === 200 ? answer.body : null;
}
