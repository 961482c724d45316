import { availableParallelism, hostname } from 'node:os';
import { systemClock, type Clock } from '#shared/clock.ts';
import { createLog, type Log } from '#shared/log.ts';
import { openTracer, traceIdsFor } from '#shared/tracing/tracer.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { DrawSheet } from '#protocol/worker/questions.ts';
import { type Background, DRAWS_FRAMES, PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { DRAWS_SHEETS } from '#protocol/pictures/sheets.ts';
import { TAKES_STILLS } from '#protocol/pictures/stills.ts';
import { newWorkerIdentity } from '#protocol/worker/worker-id.ts';
import { controlBlobs, type Blobs } from '../runtime/blobs.ts';
import { Builds, type BuildAvatar } from '../runtime/builds.ts';
import { ControlLink } from '../runtime/control-link.ts';
import { serve } from '../runtime/lifetime.ts';
import { dialMediaSocket } from '../runtime/media-socket.ts';
import { startMediaEngine } from '../runtime/media-engine.ts';
import { Slots } from '../runtime/slots.ts';
import { tracedPerform } from '../runtime/traces/traced-perform.ts';
import { Assignment } from './assignment.ts';
import type { BundleUse } from './open-bundles.ts';
import { loadWorkerConfig, type WorkerConfig } from './config.ts';
import type { Backdrop } from './performer/backdrop.ts';
import type { Performer } from './performer/performer.ts';
import { Sheets } from './pictures/sheets.ts';
import { QualityLadder } from './quality/quality-ladder.ts';
import { AvOffsets } from './sync/av-offsets.ts';
import { FrameTimes } from './sync/frame-times.ts';
import { RoomRelay } from './transport/mediaserver/room-relay.ts';
import { TrackShelf } from './transport/track-shelf.ts';
import { Transports } from './transport/transports.ts';

/** The avatars that a worker can show. */
export type Avatars = {
  /** Ids of the avatars available without a bundle. */
  readonly ids: string[];
  /** Whether other avatars can be shown from a bundle. */
  readonly opensBundles: boolean;
  /** Opens a performer for one session. Throws for an unknown avatar. */
  performer(assign: Assign): Promise<Performer>;
  /** Opens a background. Absent: sessions keep theirs. */
  backdrop?(background: Background): Promise<Backdrop>;
  /** Opens the bundle of an avatar for a contact sheet. Absent: they draw none. */
  show?(avatar: Pick<DrawSheet, 'avatarId' | 'bundle'>): Promise<BundleUse>;
  close(): Promise<void>;
};

type WorkerParts = { config: WorkerConfig; blobs: Blobs; clock: Clock; log: Log };

type Skills = {
  avatars: Avatars;
  /** Absent for a worker that builds no avatars. */
  build?: BuildAvatar;
};

/** Connects to the control plane and performs sessions until stopped; then exits the process. */
export async function runWorker(open: (parts: WorkerParts) => Promise<Skills>): Promise<void> {
  const config = loadWorkerConfig(process.env, availableParallelism());
  const clock = systemClock;
  const traceIds = traceIdsFor(config);
  const log = createLog({ name: 'avatar-worker', level: config.LOG_LEVEL, traceIds });
  const frameTimes = new FrameTimes();
  const avOffsets = new AvOffsets();
  const ladder = new QualityLadder({ clock, log, lowest: config.LOWEST_QUALITY });
  startMediaEngine();
  const relay = await RoomRelay.open({ clock, log });
  Object.assign(process.env, relay.environment);
  const tracks = new TrackShelf(clock);
  // Created now, so that the first session need not wait for them.
  tracks.put(tracks.take(PLAIN_FRAME));
  const blobs = controlBlobs({ url: config.CONTROL_URL, token: config.WORKER_TOKEN, clock });
  const { avatars, build } = await open({ config, blobs, clock, log });

  const identity = newWorkerIdentity('avatar', config.WORKER_TOKEN);
  const tracer = await openTracer({
    settings: config,
    process: 'avatar-worker',
    instanceId: identity.workerId,
    clock,
    log,
  });

  const link = new ControlLink({
    url: config.CONTROL_URL,
    token: config.WORKER_TOKEN,
    facts: {
      ...identity,
      kind: 'avatar',
      slots: config.WORKER_SLOTS,
      transports: ['mediaserver', 'botroom'],
      avatars: avatars.ids,
      abilities: [
        'speech_sources',
        TAKES_STILLS,
        ...(avatars.backdrop ? [DRAWS_FRAMES] : []),
        ...(avatars.show ? [DRAWS_SHEETS] : []),
        ...(avatars.opensBundles ? ['bundles'] : []),
        ...(build ? ['builds'] : []),
      ],
      pool: config.WORKER_POOL,
      version: SOFTWARE_VERSION,
      host: hostname(),
    },
    clock,
    log,
  });
  const transports = new Transports({
    controlUrl: config.CONTROL_URL,
    relay,
    tracks,
    dial: dialMediaSocket,
    clock,
    log,
  });
  const sheets = avatars.show && new Sheets({ link, log, show: (avatar) => avatars.show!(avatar) });
  const slots = new Slots({
    link,
    clock,
    log,
    ...(build && { builds: new Builds({ link, build, clock, log }) }),
    ...(sheets && { handlers: { draw_sheet: (order) => sheets.draw(order) } }),
    reports: {
      frames: () => ({
        ...frameTimes.take(),
        avOffsetsMs: avOffsets.take(),
        quality: ladder.quality,
      }),
    },
    drain: { limitMs: config.DRAIN_SECONDS * 1000, afterSessions: config.RENEW_AFTER_SESSIONS },
    perform: tracedPerform(
      { tracer, traceIds, clock },
      (assign, listener) =>
        new Assignment(assign, {
          clock,
          log,
          openTransport: (assign) => transports.open(assign),
          openPerformer: (assign) => avatars.performer(assign),
          ...(avatars.backdrop && {
            openBackdrop: (background) => avatars.backdrop!(background),
          }),
          listener,
          ladder,
          onFrame: (leftOut, offsetMs) => {
            frameTimes.count(leftOut, assign.video.fps);
            if (offsetMs !== null) avOffsets.count(assign.placement.sessionId, offsetMs);
          },
        }),
    ),
  });
  ladder.onChange(() => slots.reportLoad());
  const close = async () => {
    ladder.close();
    await avatars.close();
    await relay.close();
    await tracer?.close();
  };
  serve({ slots, link, clock, log, close });
}
