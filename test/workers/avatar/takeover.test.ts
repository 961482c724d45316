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

/** Sends a segment of one second. */
const speaking = async () => {
  const stage = performInMemory();
  await stage.session.started;
  speak(stage.transport, 'a', 1000);
  await stage.clock.pass(400);
  return stage;
};

const near = (seconds: number) => expect.closeTo(seconds, 1);

describe('an assignment on takeover', () => {
  test('reports the positions of open segments, from the first segment on', async () => {
    const { clock, transport, session, openSpeech: positions } = performInMemory();
    await session.started;
    await clock.pass(1000);
    const earlyPositions = [...positions];

    transport.listener!.begin('a', format);
    transport.listener!.chunk('a', pcm(tone(16_000, 500)));
    transport.listener!.end('a');
    await clock.pass(450);
    transport.listener!.begin('b', format);
    await clock.pass(200);
    transport.listener!.clear();
    await session.close();

    expect(earlyPositions).toEqual([]);
    const spokenOfA = [0.1, 0.2, 0.3, 0.4].map((seconds) => [near(seconds)]);
    expect(positions).toEqual([[0], ...spokenOfA, [near(0.45), 0], [0], []]);
    expect(clock.waiting).toBe(0);
  });

  test('joins with an answer for each open segment, and one for speech sent meanwhile', async () => {
    const {
      transport,
      session,
      openSpeech: positions,
    } = performInMemory(2, undefined, {
      unanswered: [3.5, 0],
    });

    await session.started;

    expect(transport.takeover).toEqual({
      byStreams: true,
      unanswered: [
        { positionSeconds: 3.5, interrupted: true },
        { positionSeconds: 0, interrupted: true },
        { positionSeconds: 0, interrupted: true },
      ],
    });
    // A later takeover must not answer them again.
    expect(positions).toEqual([[]]);
    await session.close();
  });

  test('answers for one segment if the previous worker received no stream', async () => {
    const { transport, session, openSpeech: positions } = performInMemory(2);

    await session.started;

    expect(transport.takeover).toEqual({
      byStreams: false,
      unanswered: [{ positionSeconds: 0, interrupted: true }],
    });
    expect(positions).toEqual([]);
    await session.close();
  });

  test('joins only with its performer open, so that the previous worker stays until then', async () => {
    const clock = new TestClock();
    const transport = new MemoryRoom(clock);
    const performer = Promise.withResolvers<MemoryPerformer>();
    const log = createLog({ name: 'test', level: 'silent' });
    const session = new Assignment(assign(2), {
      clock,
      log,
      openTransport: () => transport,
      openPerformer: () => performer.promise,
    });
    await settle();
    const earlyListener = transport.listener;

    performer.resolve(new MemoryPerformer());
    await session.started;

    expect(earlyListener).toBeNull();
    expect(transport.listener).not.toBeNull();
    await session.close();
  });

  test('answers for the session whose seat it takes', async () => {
    const { transport, session } = performInMemory(1, undefined, { unanswered: [1.25] });

    await session.started;

    expect(transport.takeover).toEqual({
      byStreams: true,
      unanswered: [
        { positionSeconds: 1.25, interrupted: true },
        { positionSeconds: 0, interrupted: true },
      ],
    });
    await session.close();
  });

  test('answers for no segment on the first placement', async () => {
    const { transport, session } = performInMemory(1);

    await session.started;

    expect(transport.takeover).toBeNull();
    await session.close();
  });
});

describe('an assignment that is released', () => {
  test('is silent at once when no speech plays, and keeps sending frames', async () => {
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

  test('plays its segment to the end, and leaves the next one to its successor', async () => {
    const { clock, transport, session, openSpeech: positions } = await speaking();
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
    expect(transport.playedSound(heldFrom, 900).every((sample) => sample === 0)).toBe(true);
    expect(positions.at(-1)).toEqual([0]);
    await session.close();
    expect(clock.waiting).toBe(0);
  });

  test('is cut at the time limit: reports the position to the gateway, but not to the agent', async () => {
    const { clock, transport, session, openSpeech: positions } = await speaking();

    void session.release(300);
    await clock.pass(300);
    const releasedAt = clock.elapsed();
    const lastPositions = positions.at(-1);
    await clock.pass(1_000);

    expect(lastPositions).toEqual([expect.closeTo(0.695, 2)]);
    expect(positions.at(-1)).toEqual(lastPositions);
    expect(transport.finished).toEqual([]);
    expect(transport.playedSound(releasedAt + 10, 900).every((sample) => sample === 0)).toBe(true);
    await session.close();
  });

  test.each([
    ['the time limit', 300],
    ['its end', 8_000],
  ])('keeps its seat after the sound until viewers have played it: %s', async (_, withinMs) => {
    const { clock, transport, session } = await speaking();
    let releasedAt = Infinity;

    void session.release(withinMs).then(() => (releasedAt = clock.elapsed()));
    await clock.pass(2_000);

    const silentFrom = releasedAt - 450;
    expect(transport.playedSound(silentFrom, 450).every((sample) => sample === 0)).toBe(true);
    expect(transport.playedSound(silentFrom - 200, 100).some((sample) => sample !== 0)).toBe(true);
    await session.close();
    expect(clock.waiting).toBe(0);
  });

  test('keeps its seat as long when the sound has just ended', async () => {
    const { clock, transport, session } = await speaking();
    while (transport.finished.length === 0) await clock.pass(10);
    const endedAt = clock.elapsed();
    let releasedAt = Infinity;

    await clock.pass(200);
    void session.release(8_000).then(() => (releasedAt = clock.elapsed()));
    await clock.pass(1_000);

    expect(releasedAt - endedAt).toBeGreaterThanOrEqual(490);
    expect(releasedAt - endedAt).toBeLessThanOrEqual(500);
    await session.close();
    expect(clock.waiting).toBe(0);
  });

  test('still answers an agent that interrupts meanwhile', async () => {
    const { clock, transport, session, openSpeech: positions } = await speaking();
    void session.release(0);
    await clock.pass(500);

    transport.listener!.clear();

    expect(transport.finished).toEqual([
      { positionSeconds: expect.closeTo(0.395, 2), interrupted: true },
    ]);
    expect(positions.at(-1)).toEqual([]);
    await session.close();
  });

  test('must not join if it was not in the room yet', async () => {
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

  test('leaves nothing open when it ends while waiting for silence', async () => {
    const { clock, session } = await speaking();
    const released = session.release(8_000);

    session.end('agent_left');
    await session.close();

    expect(await released).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  test('leaves nothing open when it ends while viewers play its last sound', async () => {
    const { clock, session } = await speaking();
    const released = session.release(300);
    await clock.pass(400);

    session.end('agent_left');
    await session.close();

    expect(await released).toBe(false);
    expect(clock.waiting).toBe(0);
  });
});
