/*
 * Measures what a worker retains after its sessions, in its own process: real sessions with a real
 * face in in-memory rooms, on a test clock. Prints the resources after the warm-up and after the
 * sessions as JSON.
 */
import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLog } from '#shared/log.ts';
import { Assignment } from '../../../workers/avatar/assignment.ts';
import { openBundle } from '../../../workers/bundle/open-bundle.ts';
import { BuiltInPerformer } from '../../../workers/avatar/performer/built-in-performer.ts';
import { memoryOf } from '../../../workers/avatar/performer/face.ts';
import { viewOf } from '../../../workers/avatar/performer/view.ts';
import { MemoryRoom } from '../../support/picture/memory-room.ts';
import { TestClock } from '../../support/test-clock.ts';
import { vowel } from '../../support/sound/vowels.ts';
import { FOURTH_AVATAR } from '../../support/cast.ts';

type Resources = {
  /** Kinds of the resources that keep the process alive. */
  handles: string[];
  files: number;
  timers: number;
  wasmBytes: number;
  heapBytes: number;
};

export const SESSIONS = 200;
const WARM_UP = 50;
const BUNDLE = path.join(
  import.meta.dirname,
  `../../../workers/avatar/avatars/${FOURTH_AVATAR.bundle}`,
);

export function heldAfterSessions(): { start: Resources; end: Resources } {
  // Runs without tsx, which opens connections that may close during the sessions.
  const flags = ['--expose-gc', '--single-threaded'];
  const script = fileURLToPath(import.meta.url);
  // Code from a cache is compiled at other moments.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const out = execFileSync(process.execPath, [...flags, script], { encoding: 'utf8', env });
  return JSON.parse(out) as ReturnType<typeof heldAfterSessions>;
}

async function measure() {
  const bundle = await openBundle(BUNDLE);
  // Standard output is flushed ten times a second, which would count as a handle while it lasts.
  const log = createLog({ name: 'gate', level: 'silent' }, { write: () => {} });
  const clock = new TestClock();
  const speech = new Uint8Array(vowel('a', 300).buffer);

  const perform = async (number: number) => {
    const room = new MemoryRoom(clock);
    const session = new Assignment(
      {
        type: 'assign',
        placement: { sessionId: `session-${number}`, epoch: 1 },
        transport: 'mediaserver',
        room: { url: 'ws://room.test', token: 'token' },
        avatarId: FOURTH_AVATAR.alias,
        video: { width: 512, height: 512, fps: 25 },
      },
      {
        clock,
        log,
        openTransport: () => room,
        openPerformer: async ({ placement }) =>
          new BuiltInPerformer(bundle, { seed: placement.sessionId, scene: PLAIN_FRAME }),
      },
    );
    await clock.pass(100);
    room.listener!.begin('speech', { sampleRate: 16_000, channels: 1 });
    room.listener!.chunk('speech', speech);
    room.listener!.end('speech');
    await clock.pass(500);
    if (room.frames.length === 0) throw new Error('no frame was shown');
    session.end('ended_by_client');
    await clock.pass(1000);
    if (!room.isClosed) throw new Error('the room is still open');
  };

  const resources = (): Resources => {
    for (let i = 0; i < 3; i++) globalThis.gc!();
    return {
      handles: process.getActiveResourcesInfo().toSorted(),
      files: readdirSync('/proc/self/fd').length,
      timers: clock.waiting,
      wasmBytes: memoryOf(bundle.face, viewOf(bundle.face.manifest, PLAIN_FRAME)).byteLength,
      heapBytes: process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers,
    };
  };
  for (let i = 0; i < WARM_UP; i++) await perform(i);
  const start = resources();
  for (let i = 0; i < SESSIONS; i++) await perform(WARM_UP + i);
  const end = resources();
  bundle.close();
  process.stdout.write(JSON.stringify({ start, end }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await measure();
  // A leaked timer would keep the process alive and hide itself.
  process.exit();
}
