import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { RoomSignal } from '#protocol/room-signals.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { Assignment } from '../../../workers/avatar/assignment.ts';
import { LeftRoom, TracksNotTaken } from '../../../workers/avatar/transport/transport.ts';
import { CannotPerform } from '../../../workers/runtime/performance.ts';
import { MemoryPerformer } from '../../support/picture/memory-performer.ts';
import { MemoryRoom } from '../../support/picture/memory-room.ts';
import { pcm, tone } from '../../support/sound/pcm.ts';
import { assign, performInMemory } from '../../support/picture/session.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const format = { sampleRate: 16_000, channels: 1 };

const performWithSignals = (signals: RoomSignal[]) => performInMemory(1, undefined, { signals });

const log = createLog({ name: 'test', level: 'silent' });

/** A session whose performer is not open yet. */
const join = async (orderParts: Partial<Assign>) => {
  const clock = new TestClock();
  const transport = new MemoryRoom(clock);
  const performer = Promise.withResolvers<MemoryPerformer>();
  const session = new Assignment(
    { ...assign(), ...orderParts },
    { clock, log, openTransport: () => transport, openPerformer: () => performer.promise },
  );
  await settle();
  return { transport, performer, session };
};

describe('assignment', () => {
  test('joins at once with a built-in avatar, otherwise only when the bundle is open', async () => {
    const builtInSession = await join({});
    const fetched = await join({ bundle: 'a'.repeat(64) });

    expect(builtInSession.transport.listener).not.toBeNull();
    expect(fetched.transport.listener).toBeNull();
    for (const { performer, session } of [builtInSession, fetched]) {
      performer.resolve(new MemoryPerformer());
      await session.started;
      await session.close();
    }
    expect(fetched.transport.listener).not.toBeNull();
  });

  test('joins no room when its bundle is unavailable', async () => {
    const clock = new TestClock();
    const transport = new MemoryRoom(clock);
    const session = new Assignment(
      { ...assign(), bundle: 'a'.repeat(64) },
      {
        clock,
        log,
        openTransport: () => transport,
        openPerformer: () => Promise.reject(new CannotPerform('no bundle')),
      },
    );

    await expect(session.ended).rejects.toBeInstanceOf(CannotPerform);

    await session.close();
    expect(transport.listener).toBeNull();
  });

  test('reports the segments that it was sent when it is ended before its first frame', async () => {
    const { transport, performer, session } = await join({});
    transport.listener!.begin('a', format);

    session.end('ended_by_client');
    performer.resolve(new MemoryPerformer());
    await session.close();

    expect(transport.finished).toEqual([{ positionSeconds: 0, interrupted: true }]);
  });

  test('shows a frame before it publishes, then 25 per second', async () => {
    const { clock, transport, session } = performInMemory();
    await settle();

    const atPublish = transport.frames.length;
    await session.started;
    await clock.pass(1000);

    expect(atPublish).toBe(1);
    expect(transport.frames.length - 1).toBeGreaterThanOrEqual(25);
    expect(transport.frames.length - 1).toBeLessThanOrEqual(26);
    expect(session.framesShown).toBe(transport.frames.length);
    await session.close();
  });

  test('has a still once it shows a frame, and none when it is over', async () => {
    const { session } = performInMemory();
    const firstStill = session.still();
    await session.started;

    const still = session.still();
    await session.close();

    expect([firstStill, session.still()]).toEqual([null, null]);
    expect(Buffer.from(still!).toString('hex')).toMatch(/^ffd8.*ffd9$/);
  });

  test('reports each segment to the agent when it has been played', async () => {
    const { clock, transport, session } = performInMemory();
    await session.started;

    transport.listener!.begin('a', format);
    transport.listener!.chunk('a', pcm(tone(16_000, 1000)));
    transport.listener!.end('a');
    await clock.pass(1000);
    const earlyCalls = [...transport.calls];
    await clock.pass(50);

    expect(earlyCalls).toEqual(['started']);
    expect(transport.finished).toEqual([{ positionSeconds: 1, interrupted: false }]);
    await session.close();
  });

  test('measures the delay behind the audio for frames of speech only', async () => {
    const { clock, transport, session, offsets } = performInMemory();
    await session.started;
    await clock.pass(400);
    const offsetCount = offsets.length;

    transport.listener!.begin('a', format);
    transport.listener!.chunk('a', pcm(tone(16_000, 2_000)));
    transport.listener!.end('a');
    await clock.pass(3_000);

    expect(offsets.slice(0, offsetCount).filter((offset) => offset !== null)).toEqual([]);
    const ofSpeech = offsets.filter((offset) => offset !== null);
    expect(ofSpeech.length).toBeGreaterThanOrEqual(49);
    expect(ofSpeech.length).toBeLessThanOrEqual(51);
    // Code takes no time on a TestClock.
    expect(Math.max(...ofSpeech.map(Math.abs))).toBeLessThan(1e-6);
    await session.close();
  });

  test('records timeline events, from joining to the last frame', async () => {
    const { clock, transport, session, timelineEvents: noted } = performInMemory();
    await session.started;

    for (const stream of ['a', 'b']) {
      transport.listener!.begin(stream, format);
      transport.listener!.chunk(stream, pcm(tone(16_000, 100)));
      transport.listener!.end(stream);
      await clock.pass(stream === 'a' ? 200 : 50);
    }
    transport.listener!.clear();
    await session.close();

    expect(noted).toMatchObject([
      { kind: 'joined' },
      { kind: 'speech_received', segment: 1 },
      { kind: 'speech_started', segment: 1 },
      { kind: 'speech_finished', segment: 1, positionSeconds: 0.1, interrupted: false },
      { kind: 'speech_received', segment: 2 },
      { kind: 'speech_started', segment: 2 },
      { kind: 'interrupted', segments: 1 },
      { kind: 'speech_finished', segment: 2, interrupted: true },
      { kind: 'frames', frameRate: 25, missedFrames: 0 },
    ]);
  });

  test('keeps speech that arrives before the performer is open, and clears it too', async () => {
    const { clock, transport, session } = performInMemory();
    await settle();

    transport.listener!.begin('a', format);
    transport.listener!.chunk('a', pcm(tone(16_000, 100)));
    transport.listener!.clear();
    await session.started;
    await clock.pass(100);

    expect(transport.finished).toEqual([{ positionSeconds: 0, interrupted: true }]);
    await session.close();
  });

  test('plays the audio track of an agent, moves the mouth with it, and reports nothing', async () => {
    const { clock, transport, performer, session } = performInMemory();
    await settle();
    transport.listener!.voice(tone(48_000, 10));
    await session.started;
    const runCount = performer.speech.length;

    for (let i = 0; i < 50; i++) {
      transport.listener!.voice(tone(48_000, 10));
      await clock.pass(10);
    }
    transport.listener!.voiceEnded();
    await clock.pass(200);

    expect(runCount).toBe(0);
    expect(transport.playedSound(50, 440).some((sample) => Math.abs(sample) > 5000)).toBe(true);
    expect(performer.speech.length).toBeGreaterThan(40);
    expect(transport.calls).toEqual([]);
    await session.close();
    transport.listener!.voice(tone(48_000, 10));
    expect(clock.waiting).toBe(0);
  });

  test('drops queued track audio on a clear, and plays what follows', async () => {
    const { clock, transport, performer, session } = performInMemory();
    await session.started;
    const speak = async (blocks: number, value: number) => {
      for (let i = 0; i < blocks; i++) {
        transport.listener!.voice(new Int16Array(480).fill(value));
        await clock.pass(10);
      }
    };
    await speak(20, 1000);

    transport.listener!.clear();
    const clearedAt = clock.elapsed();
    await speak(20, 2000);
    await clock.pass(100);

    const laterSound = transport.playedSound(clearedAt + 10, 300);
    expect(laterSound).not.toContain(1000);
    expect(laterSound).toContain(2000);
    expect(performer.hushTimes).toEqual([clearedAt]);
    expect(transport.calls).toEqual([]);
    await session.close();
  });

  test('leaves when the agent has been away for 10 s, not earlier', async () => {
    const { clock, transport, session, ended } = performInMemory();
    await session.started;

    transport.listener!.present({ agentHere: false, participants: 1 });
    await clock.pass(9_000);
    transport.listener!.present({ agentHere: true, participants: 2 });
    await clock.pass(5_000);
    transport.listener!.present({ agentHere: false, participants: 1 });
    await clock.pass(9_990);
    const earlyEnd = ended();
    await clock.pass(20);

    expect(earlyEnd).toBeNull();
    expect(ended()).toBe('agent_left');
    expect(transport.isClosed).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test.each(['removed', 'replaced', 'room_closed'] as const)(
    'ends with %s when the room says so',
    async (reason) => {
      const { clock, transport, performer, session, ended } = performInMemory();
      await session.started;

      transport.leave(reason);
      await settle();

      expect(ended()).toBe(reason);
      expect(performer.isClosed).toBe(true);
      expect(clock.waiting).toBe(0);
    },
  );

  test('ends on the configured signal of its agent only', async () => {
    const { clock, transport, session, ended } = performWithSignals([
      { topic: null, means: 'end', how: { format: 'json', match: { type: 'END' } } },
    ]);
    await session.started;

    transport.listener!.packet('', Buffer.from('{"type":"ENDED"}'));
    transport.listener!.packet('', Buffer.from('END'));
    await clock.pass(100);
    const earlyEnd = ended();
    transport.listener!.packet('calls', Buffer.from('{"type":"END"}'));
    await session.ended;
    await session.close();

    expect(earlyEnd).toBeNull();
    expect(ended()).toBe('ended_by_client');
    expect(clock.waiting).toBe(0);
  });

  test('takes emotions of its agent in order, also while joining', async () => {
    const { transport, performer, session } = performWithSignals([
      { topic: 'mood', means: 'emotion', how: { format: 'text', prefix: 'feel:' } },
    ]);

    await settle();
    transport.listener!.packet('mood', Buffer.from('feel:happy'));
    await session.started;
    transport.listener!.packet('chat', Buffer.from('feel:nothing'));
    transport.listener!.packet('mood', Buffer.from('feel:sad'));
    await settle();
    await session.close();
    transport.listener!.packet('mood', Buffer.from('feel:late'));
    await settle();

    expect(performer.emotions).toEqual(['happy', 'sad']);
  });

  test('attends while its agent listens', async () => {
    const { transport, performer, session } = performWithSignals([]);

    await session.started;
    transport.listener!.listens(true);
    transport.listener!.listens(false);
    await settle();
    await session.close();
    transport.listener!.listens(true);
    await settle();

    expect(performer.attentions).toEqual([true, false]);
  });

  test('ends with the reason of a room that refuses', async () => {
    const { ended, session, performer } = performInMemory(1, (clock) => {
      const room = new MemoryRoom(clock);
      const detail = 'connection refused by media.example:443';
      room.onJoin = () => Promise.reject(new LeftRoom('room_refused', { detail }));
      return room;
    });

    await session.ended;
    await session.close();

    expect(ended()).toBe('room_refused');
    expect(session.endDetail).toBe('connection refused by media.example:443');
    expect(performer.isClosed).toBe(true);
  });

  test('goes back to the gateway when the media server takes no tracks', async () => {
    const { session, performer } = performInMemory(1, (clock) => {
      const room = new MemoryRoom(clock);
      room.onPublish = () => Promise.reject(new TracksNotTaken('no answer'));
      return room;
    });

    await expect(session.ended).rejects.toThrow(CannotPerform);
    await session.close();

    expect(performer.isClosed).toBe(true);
  });

  test('ends at once while joining, and leaves nothing open', async () => {
    const joining = Promise.withResolvers<void>();
    const { clock, transport, session, ended } = performInMemory(1, (clock) => {
      const room = new MemoryRoom(clock);
      room.onJoin = () => joining.promise;
      return room;
    });

    session.end('ended_by_client');
    await settle();
    const atOnce = ended();
    joining.resolve();
    await session.close();

    expect(atOnce).toBe('ended_by_client');
    expect(transport.isClosed).toBe(true);
    expect(transport.frames).toHaveLength(0);
    expect(clock.waiting).toBe(0);
  });

  test('throws for an unknown avatar, and leaves the room', async () => {
    const clock = new TestClock();
    const transport = new MemoryRoom(clock);

    const perform = () =>
      new Assignment(assign(), {
        clock,
        log,
        openTransport: () => transport,
        openPerformer: () => {
          throw new Error('no such avatar');
        },
      });

    expect(perform).toThrow('no such avatar');
    await settle();
    expect(transport.isClosed).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('ends only its own session when a performer fails', async () => {
    const { clock, performer, session, ended } = performInMemory();
    await session.started;

    performer.draw = () => {
      throw new Error('no picture');
    };
    await clock.pass(100);

    expect(ended()).toBeInstanceOf(Error);
    expect(clock.waiting).toBe(0);
  });
});
