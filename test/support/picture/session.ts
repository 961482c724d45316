import type { EndReason } from '#protocol/end-reasons.ts';
import type { Quality } from '#protocol/qualities.ts';
import type { Background } from '#protocol/pictures/frames.ts';
import { createLog } from '#shared/log.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { Assignment } from '../../../workers/avatar/assignment.ts';
import type { Backdrop } from '../../../workers/avatar/performer/backdrop.ts';
import { MemoryPerformer } from './memory-performer.ts';
import { MemoryRoom } from './memory-room.ts';
import { TestClock } from '../test-clock.ts';

export const assign = (epoch = 1): Assign => ({
  type: 'assign',
  placement: { sessionId: 'session-1', epoch },
  transport: 'mediaserver',
  room: { url: 'ws://room.test', token: 'token' },
  avatarId: 'avatar-1',
  video: { width: 16, height: 16, fps: 25 },
});

/** A session in an in-memory room on a test clock. */
export function performInMemory(
  epoch = 1,
  room?: (clock: TestClock) => MemoryRoom,
  fields: Partial<Assign> = {},
) {
  const clock = new TestClock();
  const transport = room?.(clock) ?? new MemoryRoom(clock);
  const performer = new MemoryPerformer();
  const openSpeech: number[][] = [];
  const timelineEvents: WorkerTimelineEvent[] = [];
  const offsets: (number | null)[] = [];
  const ladder = new ScriptedLadder();
  const backdrops = new Map<Background, PromiseWithResolvers<Backdrop>>();
  const session = new Assignment(
    { ...assign(epoch), ...fields },
    {
      clock,
      log: createLog({ name: 'test', level: 'silent' }),
      openTransport: () => transport,
      openPerformer: async () => performer,
      openBackdrop: (background) => {
        const opening = Promise.withResolvers<Backdrop>();
        backdrops.set(background, opening);
        return opening.promise;
      },
      listener: {
        speechProgressed: (open) => openSpeech.push(open),
        record: (event) => timelineEvents.push(event),
      },
      ladder,
      onFrame: (_leftOut, offsetMs) => offsets.push(offsetMs),
    },
  );
  let ended: EndReason | Error | null = null;
  session.ended.then(
    (reason) => (ended = reason),
    (error: Error) => (ended = error),
  );
  return {
    clock,
    transport,
    performer,
    session,
    openSpeech,
    timelineEvents,
    offsets,
    ladder,
    /** Backgrounds that the session opens; the test answers. */
    backdrops,
    ended: () => ended,
  };
}

/** A ladder whose quality the test sets. */
class ScriptedLadder {
  readonly #listeners = new Set<(quality: Quality) => void>();
  quality: Quality = 'full';
  missed = 0;

  set(quality: Quality): void {
    this.quality = quality;
    for (const listener of this.#listeners) listener(quality);
  }

  count(missed: number): void {
    this.missed += missed;
  }

  onChange(listener: (quality: Quality) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}
