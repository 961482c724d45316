/* Invariants of the sessions once the faults are over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';
import type { SessionBody } from './client.ts';
import { OPERATOR_KEY } from './names.ts';
import type { Stage } from './stage.ts';

/** `isEnded` null: the client gave up and does not know. */
export type Opened = { id: string; isEnded: boolean | null };

export type Scene = Pick<Stage, 'client' | 'rooms' | 'receiver'>;

/** An unclaimed avatar may stay in a room for half of it. */
const SETTLE_MS = PATIENCE_MS;
const LOOK_EVERY_MS = 300;

/** Allowed end reasons. A schedule never demands more slots than the fleet has. */
const GOOD_REASONS = ['ended_by_client', 'agent_left'];

/** Checks until no problem is left or the time is over; returns the remaining problems. */
export async function inTime(look: () => Promise<string[]>): Promise<string[]> {
  const endsAt = performance.now() + SETTLE_MS;
  for (;;) {
    const problems = await look();
    if (problems.length === 0 || performance.now() > endsAt) return problems;
    await sleep(LOOK_EVERY_MS);
  }
}

/** While sessions may be live: each is over or performed exactly once, and all counts agree. */
export async function problemsOf(scene: Scene, opened: Opened[]): Promise<string[]> {
  const problems = await auditOf(scene);
  for (const { id, isEnded } of opened) {
    const session = await find(scene, id);
    const act = scene.rooms.seated.get(id);
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
export async function leftOvers(scene: Scene, opened: Opened[]): Promise<string[]> {
  const problems = await auditOf(scene);
  for (const { worker, sessionId } of scene.rooms.acts)
    problems.push(`${sessionId} is performed by ${worker} after its end`);
  for (const { id } of opened) {
    const session = await find(scene, id);
    if (session?.status.type !== 'completed') {
      problems.push(`${id} is not completed`);
      continue;
    }
    // A session that ended before its first frame has no start event.
    const { started_at, ended_at } = session.status;
    const wasSeen = started_at !== ended_at;
    const started = scene.receiver.count('session.started', id);
    const ended = scene.receiver.count('session.ended', id);
    if (ended !== 1 || started > 1 || (wasSeen && started === 0))
      problems.push(`${id} was reported as started ${started} times, as ended ${ended} times`);
  }
  return problems;
}

type Audit = { agrees: boolean; leases: number; differences: { kind: string }[] };

async function auditOf(scene: Scene): Promise<string[]> {
  const answer = await scene.client.once<Audit>('GET', '/v1/fleet/audit', undefined, OPERATOR_KEY);
  if (answer?.status !== 200) return [`the audit responded with ${answer?.status}`];
  return answer.body.differences.map((difference) => `audit: ${JSON.stringify(difference)}`);
}

async function find(scene: Scene, id: string): Promise<SessionBody | null> {
  const answer = await scene.client.once<SessionBody>('GET', `/v1/sessions/${id}`);
  return answer?.status === 200 ? answer.body : null;
}
