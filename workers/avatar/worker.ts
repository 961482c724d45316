import { availableParallelism } from 'node:os';
import { dispose } from '@livekit/rtc-node';
import { systemClock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import { SOFTWARE_VERSION } from '#shared/version.ts';
import { ControlLink } from '../link/control-link.ts';
import { Slots } from '../link/slots.ts';
import { Assignment } from './assignment.ts';
import { loadWorkerConfig } from './config.ts';
import type { Performer } from './performer/performer.ts';
import { LateFrames } from './sync/late-frames.ts';
import { MediaServerTransport } from './transport/mediaserver.ts';

/** How long the end of a session may take to be recorded when the service stops. */
const RECORD_MS = 1_500;

/** The faces that a worker shows. */
export type Faces = {
  /** Ids of the avatars. */
  readonly ids: string[];
  /** A performer of one session, which looks like no other's: `seed` is the session's. Throws for an avatar that is not here. */
  performer(avatarId: string, seed: string): Promise<Performer>;
  close(): void;
};

/** Connects this process to the control plane and performs what it is given, until it is told to stop; then the process exits. */
export async function runWorker(faces: Faces): Promise<void> {
  const config = loadWorkerConfig(process.env, availableParallelism());
  const clock = systemClock;
  const log = createLog({ name: 'avatar-worker', level: config.LOG_LEVEL });
  const lateFrames = new LateFrames();

  const link = new ControlLink({
    url: config.CONTROL_URL,
    token: config.WORKER_TOKEN,
    facts: {
      workerId: newName('avatar'),
      kind: 'avatar',
      slots: config.WORKER_SLOTS,
      transports: ['mediaserver'],
      avatars: faces.ids,
      version: SOFTWARE_VERSION,
    },
    clock,
    log,
  });
  const slots = new Slots({
    link,
    clock,
    log,
    lateFrames: () => lateFrames.takeShare(),
    perform: (assign, onRenewed) =>
      new Assignment(assign, {
        clock,
        log,
        openTransport: ({ room, video }) => new MediaServerTransport({ room, video, clock, log }),
        openPerformer: ({ avatarId, placement }) => faces.performer(avatarId, placement.sessionId),
        onRenewed,
        onFrame: (missed) => lateFrames.count(missed),
      }),
  });
  // The SDK loads its engine with the first tracks that it makes.
  const video = { width: 16, height: 16, fps: 25 };
  await new MediaServerTransport({ room: { url: '', token: '' }, video, clock, log }).close();
  slots.open();

  let isStopping = false;
  let isExiting = false;

  async function drain(): Promise<void> {
    if (isStopping) return stop();
    isStopping = true;
    const cancel = clock.after(config.DRAIN_SECONDS * 1000, () => void exit(0));
    slots.drain();
    await slots.drained;
    cancel();
    await exit(0);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await slots.endAll('service_stopped', RECORD_MS);
    await exit(0);
  }

  /** What still runs is dropped: the control plane places it elsewhere. */
  async function exit(code: number): Promise<void> {
    if (isExiting) return;
    isExiting = true;
    await slots.close();
    await link.close();
    faces.close();
    await dispose();
    process.exit(code);
  }

  const failed = (error: unknown) => {
    log.fatal({ err: error }, 'stopping failed');
    process.exit(1);
  };
  process.on('SIGTERM', () => void drain().catch(failed));
  process.on('SIGINT', () => void stop().catch(failed));
  // Our parent is gone, perhaps killed: nothing that it started may stay.
  process.on('disconnect', () => void stop().catch(failed));
  void link.dismissed.then(() => exit(1)).catch(failed);
  // The control plane may ask for a drain too; under a stop of our own this comes second and does nothing.
  void slots.drained.then(() => exit(0)).catch(failed);
}
