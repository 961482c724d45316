import { describe, expect, test } from 'vitest';
import { performInMemory } from '../../../support/picture/session.ts';
import { pcm, tone } from '../../../support/sound/pcm.ts';

const format = { sampleRate: 16_000, channels: 1 };

describe('a session', () => {
  test('shows less while CPU time is short, with whole sound, and records each change', async () => {
    const {
      clock,
      transport,
      session,
      ladder,
      timelineEvents: noted,
      performer,
    } = performInMemory();
    await session.started;
    const say = async (stream: string) => {
      const from = clock.elapsed();
      transport.listener!.begin(stream, format);
      transport.listener!.chunk(stream, pcm(tone(16_000, 2_000)));
      transport.listener!.end(stream);
      await clock.pass(2_500);
      const sound = transport.playedSound(from, 2_500).map(Math.abs);
      return sound.filter((sample) => sample > 100).length;
    };
    const voicedSamples = await say('a');

    ladder.set('still_picture');
    const frameCount = transport.frames.length;
    const still = await say('b');
    const few = transport.frames.length - frameCount;
    ladder.set('full');
    await clock.pass(1_000);

    expect(few).toBeGreaterThanOrEqual(5);
    expect(few).toBeLessThanOrEqual(6);
    expect(still).toBe(voicedSamples);
    expect(transport.finished).toHaveLength(2);
    expect(performer.movements).toEqual(['nothing', 'all']);
    expect(noted.filter(({ kind }) => kind === 'quality')).toEqual([
      { kind: 'quality', quality: 'still_picture' },
      { kind: 'quality', quality: 'full' },
    ]);
    await session.close();
    expect(ladder.listeners).toBe(0);
  });

  test('records a lower quality that it starts with', async () => {
    const { session, ladder, timelineEvents: noted } = performInMemory();
    ladder.quality = 'mouth_only';
    await session.started;

    expect(noted).toContainEqual({ kind: 'quality', quality: 'mouth_only' });
    await session.close();
  });

  test('counts all missed frames for the ladder, also those that are not due to be shown', async () => {
    const { clock, session, ladder } = performInMemory();
    await session.started;
    ladder.set('still_picture');
    await clock.pass(1_000);
    expect(ladder.missed).toBe(0);

    clock.stall(200);

    expect(ladder.missed).toBeGreaterThanOrEqual(3);
    expect(ladder.missed).toBeLessThanOrEqual(5);
    await session.close();
  });
});
