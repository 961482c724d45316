import { expect } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { Assignment } from '../../../workers/avatar/assignment.ts';
import { BotroomTransport } from '../../../workers/avatar/transport/botroom/botroom.ts';
import { pcm } from '../sound/pcm.ts';
import { TestClock } from '../test-clock.ts';
import { MemoryPerformer } from './memory-performer.ts';
import { MemoryRelay } from './memory-relay.ts';
import { assign } from './session.ts';

type Format = { sampleRate: number; channels?: number };

const opened: { session: Assignment; clock: TestClock }[] = [];

/** Call after each test. Fails if a session has left a timer. */
export async function closeBotroomSessions(): Promise<void> {
  for (const { session, clock } of opened.splice(0)) {
    await session.close();
    expect(clock.waiting, 'timers left').toBe(0);
  }
}

/** A session in a botroom that has started. */
export async function startInBotroom(...args: Parameters<typeof performInBotroom>) {
  const parts = performInBotroom(...args);
  await parts.session.started;
  return parts;
}

/** A session in a botroom whose relay and client are in memory, on a test clock. */
export function performInBotroom(epoch = 1, fields: Partial<Assign> = {}) {
  const clock = new TestClock();
  const relay = new MemoryRelay(clock);
  const performer = new MemoryPerformer();
  const session = new Assignment(
    { ...assign(epoch), transport: 'botroom', ...fields },
    {
      clock,
      log: createLog({ name: 'test', level: 'silent' }),
      openPerformer: async () => performer,
      openTransport: ({ room, placement, video }) =>
        new BotroomTransport({
          address: {
            controlUrl: 'http://control.test',
            path: room.url,
            token: room.token,
            epoch: placement.epoch,
          },
          video,
          dial: relay.dial,
          clock,
          log: createLog({ name: 'test', level: 'silent' }),
          random: () => 1,
        }),
    },
  );
  let ended: EndReason | Error | null = null;
  session.ended.then(
    (reason) => (ended = reason),
    (error: Error) => (ended = error),
  );
  /** Audio of the client. `samples` are interleaved. */
  const say = (samples: Int16Array, { sampleRate, channels = 1 }: Format) =>
    relay.say('audio', { sample_rate: sampleRate, num_channels: channels }, pcm(samples));
  opened.push({ session, clock });
  return { clock, relay, performer, session, say, ended: () => ended };
}
