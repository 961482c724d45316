import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { Assignment } from '../../../workers/avatar/assignment.ts';
import { MemoryPerformer } from '../../support/picture/memory-performer.ts';
import { MemoryRoom } from '../../support/picture/memory-room.ts';
import { pcm, tone } from '../../support/sound/pcm.ts';
import { assign, performInMemory } from '../../support/picture/session.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const format = { sampleRate: 16_000, channels: 1 };

const speak = (transport: MemoryRoom, stream: string, ms: number) => {
  transport.listener!.begin(stream, format);
  transport.listener!.chunk(stream, pcm(tone(16_000, ms)));
  transport.listener!.end(stream);
};

/** Speaks for a second. */
const speaking = async () => {
  const given = performInMemory();
  await given.session.started;
  speak(given.transport, 'a', 1000);
  await given.clock.pass(400);
  return given;
};

const near = (seconds: number) => expect.closeTo(seconds, 1);

describe('an assignment and those before and after it', () => {
  test('tells how far the segments have come that its agent waits for, from the first one on', async () => {
    const { clock, transport, session, spoken } = performInMemory();
    await session.started;
    await clock.pass(1000);
    const before = [...spoken];

    transport.listener!.begin('a', format);
    transport.listener!.chunk('a', pcm(tone(16_000, 500)));
    transport.listener!.end('a');
    await clock.pass(450);
    transport.listener!.begin('b', format);
    await clock.pass(200);
    transport.listener!.clear();
    await session.close();

    expect(before).toEqual([]);
    const spokenOfA = [0.1, 0.2, 0.3, 0.4].map((seconds) => [near(seconds)]);
    expect(spoken).toEqual([[0], ...spokenOfA, [near(0.45), 0], [0], []]);
    expect(clock.waiting).toBe(0);
  });

  test('taken over, joins with an answer for each segment that the agent waits for, and one for what went to nobody', async () => {
    const { transport, session, spoken } = performInMemory(2, undefined, { unanswered: [3.5, 0] });

    await session.started;

    expect(transport.takeover).toEqual({
      byStreams: true,
      unanswered: [
        { positionSeconds: 3.5, interrupted: true },
        { positionSeconds: 0, interrupted: true },
        { positionSeconds: 0, interrupted: true },
      ],
    });
    // The next one to take over is not to answer them again.
    expect(spoken).toEqual([[]]);
    await session.close();
  });

  test('taken over from a worker that heard no stream, answers for one that nobody heard of', async () => {
    const { transport, session, spoken } = performInMemory(2);

    await session.started;

    expect(transport.takeover).toEqual({
      byStreams: false,
      unanswered: [{ positionSeconds: 0, interrupted: true }],
    });
    expect(spoken).toEqual([]);
    await session.close();
  });

  test('taken over, joins only with its face: the one before it stays as long', async () => {
    const clock = new TestClock();
    const transport = new MemoryRoom(clock);
    const face = Promise.withResolvers<MemoryPerformer>();
    const log = createLog({ name: 'test', level: 'silent' });
    const session = new Assignment(assign(2), {
      clock,
      log,
      openTransport: () => transport,
      openPerformer: () => face.promise,
    });
    await settle();
    const before = transport.listener;

    face.resolve(new MemoryPerformer());
    await session.started;

    expect(before).toBeNull();
    expect(transport.listener).not.toBeNull();
    await session.close();
  });

  test('not taken over, answers for nobody', async () => {
    const { transport, session } = performInMemory(1);

    await session.started;

    expect(transport.takeover).toBeNull();
    await session.close();
  });
});

describe('an assignment that is released', () => {
  test('is silent at once when nobody speaks, and keeps its picture', async () => {
    const { clock, transport, session, ended } = performInMemory();
    await session.started;

    expect(await session.release(8_000)).toBe(true);
    const frames = transport.frames.length;
    await clock.pass(1_000);

    expect(transport.frames.length - frames).toBeGreaterThanOrEqual(25);
    expect(ended()).toBeNull();
    await session.close();
    expect(clock.waiting).toBe(0);
  });

  test('says its sentence to the end, and keeps the next one for its successor', async () => {
    const { clock, transport, session, spoken } = await speaking();
    let isReleased = false;

    void session.release(8_000).then(() => (isReleased = true));
    await clock.pass(500);
    const inSpeech = isReleased;
    await clock.pass(200);
    speak(transport, 'b', 300);
    const heldFrom = clock.elapsed();
    await clock.pass(1_000);

    expect(inSpeech).toBe(false);
    expect(isReleased).toBe(true);
    expect(transport.finished).toEqual([{ positionSeconds: 1, interrupted: false }]);
    expect(transport.heard(heldFrom, 900).every((sample) => sample === 0)).toBe(true);
    expect(spoken.at(-1)).toEqual([0]);
    await session.close();
    expect(clock.waiting).toBe(0);
  });

  test('is cut at the end of all patience: what was heard is told, the agent is not', async () => {
    const { clock, transport, session, spoken } = await speaking();

    const released = session.release(300);
    await clock.pass(300);
    await released;
    const releasedAt = clock.elapsed();
    const last = spoken.at(-1);
    await clock.pass(1_000);

    expect(last).toEqual([expect.closeTo(0.695, 2)]);
    expect(spoken.at(-1)).toEqual(last);
    expect(transport.finished).toEqual([]);
    expect(transport.heard(releasedAt + 10, 900).every((sample) => sample === 0)).toBe(true);
    await session.close();
  });

  test('still answers an agent that is interrupted meanwhile', async () => {
    const { clock, transport, session, spoken } = await speaking();
    void session.release(0);
    await clock.pass(500);

    transport.listener!.clear();

    expect(transport.finished).toEqual([
      { positionSeconds: expect.closeTo(0.395, 2), interrupted: true },
    ]);
    expect(spoken.at(-1)).toEqual([]);
    await session.close();
  });

  test('before it was in the room must not come any more', async () => {
    const joining = Promise.withResolvers<void>();
    const { clock, session } = performInMemory(1, (clock) => {
      const room = new MemoryRoom(clock);
      room.onJoin = () => joining.promise;
      return room;
    });

    const released = session.release(8_000);
    await clock.pass(8_000);

    expect(await released).toBe(false);
    joining.resolve();
    await session.close();
    expect(clock.waiting).toBe(0);
  });

  test('leaves nothing when it ends while it waits for the end of a sentence', async () => {
    const { clock, session } = await speaking();
    const released = session.release(8_000);

    session.end('agent_left');
    await session.close();

    expect(await released).toBe(false);
    expect(clock.waiting).toBe(0);
  });
});
