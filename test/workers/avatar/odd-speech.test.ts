import { describe, expect, test } from 'vitest';
import { MemoryRoom } from '../../support/picture/memory-room.ts';
import { performInMemory } from '../../support/picture/session.ts';
import { pcm, tone } from '../../support/sound/pcm.ts';
import type { TestClock } from '../../support/test-clock.ts';

const format = { sampleRate: 16_000, channels: 1 };

const withoutAgent = (clock: TestClock) =>
  Object.assign(new MemoryRoom(clock), {
    presence: { agentHere: false, participants: 1, agentName: 'helper' },
  });

describe('odd speech', () => {
  test.each([11, 60, 600])(
    'plays speech around a pause of %i s, and reports it once it has ended',
    async (pauseSeconds) => {
      const { clock, transport, session } = performInMemory();
      await session.started;
      transport.listener!.begin('a', format);
      transport.listener!.chunk('a', pcm(tone(16_000, 1000)));
      await clock.pass(pauseSeconds * 1000);

      transport.listener!.chunk('a', pcm(tone(16_000, 500)));
      const from = clock.elapsed();
      await clock.pass(900);
      const earlyCalls = [...transport.calls];
      transport.listener!.end('a');
      await clock.pass(50);

      expect(Math.max(...transport.playedSound(from, 300))).toBeGreaterThan(7_000);
      expect(earlyCalls).toEqual(['started']);
      expect(transport.finished).toEqual([{ positionSeconds: 1.5, interrupted: false }]);
      await session.close();
    },
  );

  test('reports speech that it cannot play to the agent, the timeline and the owner', async () => {
    const { clock, transport, session, timelineEvents } = performInMemory();
    await session.started;

    transport.listener!.begin('a', { sampleRate: 384_000, channels: 2 });
    transport.listener!.chunk('a', new Uint8Array(4_000));
    transport.listener!.begin('b', format);
    transport.listener!.chunk('b', pcm(tone(16_000, 100)));
    transport.listener!.end('b');
    await clock.pass(500);
    transport.leave('agent_left');
    await session.ended;

    expect(transport.finished).toEqual([
      { positionSeconds: 0, interrupted: false },
      { positionSeconds: 0.1, interrupted: false },
    ]);
    const refusals = timelineEvents.filter(({ kind }) => kind === 'speech_refused');
    expect(refusals).toEqual([
      { kind: 'speech_refused', segment: 1, detail: expect.stringContaining('384000 Hz') },
    ]);
    expect(session.endDetail).toContain('Send 8000 to 192000 Hz and up to 16 channels.');
    await session.close();
  });

  test('is refused at ever other rates', async () => {
    const { clock, transport, session, timelineEvents } = performInMemory();
    await session.started;

    for (let rate = 16_001; rate < 16_010; rate += 1) {
      transport.listener!.begin(`${rate}`, { sampleRate: rate, channels: 1 });
      transport.listener!.end(`${rate}`);
    }
    await clock.pass(500);

    const refusals = timelineEvents.filter(({ kind }) => kind === 'speech_refused');
    const detail = expect.stringContaining('16009 Hz after 8 other sample rates');
    expect(refusals).toEqual([{ kind: 'speech_refused', segment: 9, detail }]);
    expect(transport.finished).toHaveLength(9);
    await session.close();
  });

  test('says that the agent is missing, and why it ended without it', async () => {
    const { clock, session, timelineEvents } = performInMemory(1, withoutAgent);
    await session.started;

    await clock.pass(10_000);
    const earlyEvents = [...timelineEvents];
    await clock.pass(110_000);

    const detail = expect.stringContaining('The agent "helper" of the token was never seen');
    expect(earlyEvents).toContainEqual({ kind: 'agent_missing', detail });
    expect(await session.ended).toBe('agent_left');
    expect(session.endDetail).toEqual(detail);
    await session.close();
  });
});
