import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionBody } from '../client.ts';
import { Conversation } from './conversation.ts';
import type { Fault } from './schedule.ts';
import type { RealStage } from './stage.ts';
import { within } from '../../stage/time-limit.ts';
import type { RealWorker } from './worker.ts';

/** A fault in effect. */
export type Blow = {
  /** Sessions whose picture it may stop. */
  sessions: string[];
  atMs: number;
  /** Longest allowed gap in the picture. */
  backMs: number;
  /** Resolves when the sessions continue without the affected part. */
  recovered: Promise<void>;
  /** Restores the affected part. */
  mend(): Promise<void>;
};

type Scene = { stage: RealStage; conversations: Conversation[]; isAlone: boolean };

const nothing = async (): Promise<void> => {};

export async function strike(fault: Fault, scene: Scene): Promise<Blow> {
  const { stage } = scene;
  const { killedMs, handedOverMs } = stage.bounds;
  const noGap = { sessions: [], atMs: performance.now(), backMs: 0 };
  switch (fault.type) {
    case 'kill_worker': {
      const victim = victimOf(scene, fault.session);
      await victim.worker.kill();
      return {
        ...victim.stops(killedMs),
        recovered: victim.moved(),
        mend: () => stage.startWorker(victim.index),
      };
    }
    case 'pause_worker':
      return pause(scene, fault.session, fault.forMs);
    case 'drain_worker': {
      const victim = victimOf(scene, fault.session);
      // Start the successor first, as in a rolling update.
      await stage.startWorker(victim.index);
      const exited = victim.worker.stop();
      const recovered = drained(victim.moved(), exited);
      return { ...victim.stops(handedOverMs), recovered, mend: nothing };
    }
    case 'kill_plane':
      await stage.planes.kill(fault.plane);
      return { ...noGap, recovered: nothing(), mend: () => stage.planes.start(fault.plane) };
    case 'stop_redis': {
      await stage.redis.kill();
      const recovered = sleep(fault.forMs).then(() => stage.redis.start());
      return { ...noGap, recovered, mend: nothing };
    }
    case 'cut_worker':
      victimOf(scene, fault.session).worker.network.cut();
      return { ...noGap, recovered: nothing(), mend: nothing };
    case 'slow_answers': {
      const worker = emptiest(scene);
      worker.network.delayMs = fault.delayMs;
      return {
        ...noGap,
        recovered: openAnother(scene),
        mend: async () => void (worker.network.delayMs = 0),
      };
    }
  }
}

async function pause(
  scene: Scene,
  session: number,
  forMs: number | 'until it moved',
): Promise<Blow> {
  const victim = victimOf(scene, session);
  const { steadyMs, silentMs, settledMs } = scene.stage.bounds;
  victim.worker.signal('SIGSTOP');
  if (forMs !== 'until it moved') {
    const recovered = sleep(forMs).then(() => victim.worker.signal('SIGCONT'));
    return { ...victim.stops(forMs + steadyMs), recovered, mend: nothing };
  }
  const mend = async () => {
    victim.worker.signal('SIGCONT');
    await within(settledMs, 'a resumed worker gives up its lost sessions', victim.hasGivenUp);
  };
  return { ...victim.stops(silentMs), recovered: victim.moved(), mend };
}

/** The worker of the session with this index, with all its sessions. */
function victimOf({ stage, conversations, isAlone }: Scene, session: number) {
  const { worker } = stage.performerOf(conversations[session]!.id);
  const index = stage.workers.indexOf(worker);
  const performed = conversations
    .map(({ id }) => ({ id, ...stage.performerOf(id) }))
    .filter((placed) => placed.worker === worker);
  const sessions = performed.map(({ id }) => id);
  const stops = (alone: number) => {
    const backMs = isAlone ? alone : alone + stage.bounds.togetherMs;
    return { sessions, atMs: performance.now(), backMs };
  };
  const hasMoved = () => performed.every(({ id, epoch }) => stage.performerOf(id).epoch > epoch);
  const hasGivenUp = () =>
    performed.every(({ id, epoch }) =>
      worker.deeds.some(
        (deed) => deed.action === 'given up' && deed.sessionId === id && deed.epoch === epoch,
      ),
    );
  return {
    worker,
    index,
    stops,
    hasGivenUp,
    moved: () =>
      within(stage.bounds.settledMs, `${sessions.join(' and ')} at another worker`, hasMoved),
  };
}

function emptiest({ stage, conversations }: Scene): RealWorker {
  const performers = conversations.map(({ id }) => stage.performerOf(id).worker);
  const load = (worker: RealWorker) =>
    performers.filter((performer) => performer === worker).length;
  return stage.workers.toSorted((a, b) => load(a) - load(b))[0]!;
}

/** Opens a session during the fault: it moves to a worker that answers, speaks, and ends. */
async function openAnother({ stage }: Scene): Promise<void> {
  const conversation = await Conversation.open(stage, 'service');
  const { id } = conversation;
  await conversation.begin();
  await within(
    stage.bounds.settledMs,
    `${id} at another worker`,
    () => stage.performerOf(id).epoch > 1,
  );
  await within(stage.bounds.settledMs, `the start of ${id}`, async () => {
    const session = await stage.client.call<SessionBody>('GET', `/v1/sessions/${id}`);
    return session?.body.status.type === 'ongoing';
  });
  await conversation.finished();
  await conversation.speak();
  const problems = conversation.problems();
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const answer = await stage.client.call('POST', `/v1/sessions/${id}/end`, {});
  if (answer?.status !== 200) throw new Error(`the end of ${id} responded with ${answer?.status}`);
  await conversation.leave();
}

async function drained(moved: Promise<void>, exited: Promise<number | null>): Promise<void> {
  await moved;
  const code = await exited;
  if (code !== 0) throw new Error(`a drained worker exits with ${code}`);
}
