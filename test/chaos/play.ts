/* Runs a schedule, waits for the system to settle, and reports violations. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loggedIn } from '../support/processes/logged-lines.ts';
import type { SessionBody } from './client.ts';
import { inTime, leftOvers, problemsOf, type Opened } from './judge.ts';
import { AVATAR } from './names.ts';
import { roomToken } from './room-token.ts';
import { chanceOf, type Step } from './schedule.ts';
import type { Servers } from './servers.ts';
import { Stage } from './stage.ts';

const SESSION_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Problems, and after them what was logged about their sessions and about workers. */
export async function play(servers: Servers, seed: number, schedule: Step[]): Promise<string[]> {
  const stage = await Stage.open(servers, chanceOf(seed));
  try {
    const opened = await perform(stage, seed, schedule);
    const problems = [...(await settle(stage, opened)), ...stage.rooms.problems];
    if (problems.length === 0) return problems;
    const subjects = [...problems.join('\n').matchAll(SESSION_ID)].map(([id]) => id);
    const isAbout = (line: string) => [' worker ', ...subjects].some((each) => line.includes(each));
    return [...problems, ...loggedIn(stage.planes.logs).filter(isAbout)];
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
      return `plane ${step.index}`;
    case 'kill_worker':
    case 'drain_worker':
    case 'pause_network':
    case 'slow_answers':
    case 'no_answers':
      return `worker ${step.index}`;
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
      await stage.planes.kill(step.index);
      await sleep(step.forMs);
      return startPlane(stage, step.index);
    case 'pause_plane': {
      const resume = stage.pausePlane(step.index);
      await sleep(step.forMs);
      return resume();
    }
    case 'cut_worker':
      return workers[step.index]!.network.cut();
    case 'kill_worker':
      await workers[step.index]!.kill();
      await sleep(step.forMs);
      return stage.startWorker(step.index);
    case 'drain_worker': {
      // Start the successor first, as in a rolling update.
      const leaving = workers[step.index]!;
      await stage.startWorker(step.index);
      return leaving.drain();
    }
    case 'pause_network': {
      const { network } = workers[step.index]!;
      network.pause();
      await sleep(step.forMs);
      return network.resume();
    }
    case 'slow_answers':
    case 'no_answers': {
      const worker = workers[step.index]!;
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
      const request = {
        avatar_id: AVATAR,
        url: 'wss://media.example',
        token: await roomToken(token),
      };
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
async function startPlane(stage: Stage, index: number): Promise<void> {
  for (;;) {
    try {
      return await stage.planes.start(index);
    } catch {
      await sleep(500);
    }
  }
}

async function settle(stage: Stage, opened: Opened[]): Promise<string[]> {
  const unsettled = await inTime(() => problemsOf(stage, opened));
  if (unsettled.length > 0) return unsettled;
  await Promise.all(
    opened.map(({ id }) => stage.client.call('POST', `/v1/sessions/${id}/end`, {})),
  );
  return inTime(() => leftOvers(stage, opened));
}
