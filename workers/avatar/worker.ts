import { availableParallelism } from 'node:os';
import { systemClock, type Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog, type Log } from '#shared/log.ts';
import { SOFTWARE_VERSION } from '#shared/version.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import { controlBlobs, type Blobs } from '../runtime/blobs.ts';
import { Builds, type BuildAvatar } from '../runtime/builds.ts';
import { ControlLink } from '../runtime/control-link.ts';
import { serve } from '../runtime/lifetime.ts';
import { quietEngine } from '../runtime/quiet-engine.ts';
import { Slots } from '../runtime/slots.ts';
import { Assignment } from './assignment.ts';
import { loadWorkerConfig, type WorkerConfig } from './config.ts';
import type { Performer } from './performer/performer.ts';
import { AvOffsets } from './sync/av-offsets.ts';
import { FrameTimes } from './sync/frame-times.ts';
import { MediaServerTransport } from './transport/mediaserver.ts';
import { TrackShelf } from './transport/track-shelf.ts';

const USUAL_PICTURE = { width: 512, height: 512 };

/** The faces that a worker shows. */
export type Faces = {
  /** Ids of the avatars. */
  readonly ids: string[];
  /** Any other one can be shown of its bundle. */
  readonly opensBundles: boolean;
  /** A performer of one session, which looks like no other's. Throws for an avatar that is not here. */
  performer(assign: Assign): Promise<Performer>;
  close(): Promise<void>;
};

export type WorkerParts = { config: WorkerConfig; blobs: Blobs; clock: Clock; log: Log };

export type Skills = {
  faces: Faces;
  /** Absent: it builds no avatars. */
  build?: BuildAvatar;
};

/** Connects this process to the control plane and performs what it is given, until it is told to stop; then the process exits. */
export async function runWorker(learn: (parts: WorkerParts) => Promise<Skills>): Promise<void> {
  const config = loadWorkerConfig(process.env, availableParallelism());
  const clock = systemClock;
  const log = createLog({ name: 'avatar-worker', level: config.LOG_LEVEL });
  const frameTimes = new FrameTimes();
  const avOffsets = new AvOffsets();
  quietEngine();
  const tracks = new TrackShelf(clock);
  // What the first session would wait for.
  tracks.put(tracks.take(USUAL_PICTURE));
  const blobs = controlBlobs({ url: config.CONTROL_URL, token: config.WORKER_TOKEN, clock });
  const { faces, build } = await learn({ config, blobs, clock, log });

  const link = new ControlLink({
    url: config.CONTROL_URL,
    token: config.WORKER_TOKEN,
    facts: {
      workerId: newName('avatar'),
      kind: 'avatar',
      slots: config.WORKER_SLOTS,
      transports: ['mediaserver'],
      avatars: faces.ids,
      abilities: [
        ...(faces.opensBundles ? (['bundles'] as const) : []),
        ...(build ? (['builds'] as const) : []),
      ],
      pool: config.WORKER_POOL,
      version: SOFTWARE_VERSION,
    },
    clock,
    log,
  });
  const slots = new Slots({
    link,
    clock,
    log,
    ...(build && { builds: new Builds({ link, build, clock, log }) }),
    frames: () => ({ ...frameTimes.take(), avOffsetsMs: avOffsets.take() }),
    drainMs: config.DRAIN_SECONDS * 1000,
    renewAfter: config.RENEW_AFTER_SESSIONS,
    perform: (assign, listener) =>
      new Assignment(assign, {
        clock,
        log,
        openTransport: ({ room, video }) =>
          new MediaServerTransport({ room, video, tracks, clock, log }),
        openPerformer: (assign) => faces.performer(assign),
        onRenewed: (token) => listener.renewed(token),
        onSpeech: (open) => listener.spoke(open),
        onNoted: (happening) => listener.noted(happening),
        onFrame: (missed, offsetMs) => {
          frameTimes.count(missed, assign.video.fps);
          if (offsetMs !== null) avOffsets.count(assign.placement.sessionId, offsetMs);
        },
      }),
  });
  serve({ slots, link, log, close: () => faces.close() });
}
