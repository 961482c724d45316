import { describe, expect, test } from 'vitest';
import { pcm, tone } from '../../support/sound/pcm.ts';
import { performInMemory } from '../../support/picture/session.ts';

const format = { sampleRate: 16_000, channels: 1 };

describe('the first words of an assignment', () => {
  test('are kept until somebody hears them, and then played in full', async () => {
    const audible = Promise.withResolvers<void>();
    const { clock, transport, session } = performInMemory();
    transport.audible = audible.promise;
    await session.started;
    const from = clock.elapsed();
    transport.listener!.begin('a', format);
    transport.listener!.chunk('a', pcm(tone(16_000, 300)));
    transport.listener!.end('a');
    await clock.pass(400);
    const earlyCalls = [...transport.calls];

    audible.resolve();
    await clock.pass(400);

    expect(earlyCalls).toEqual([]);
    expect(transport.playedSound(from, 400).every((sample) => sample === 0)).toBe(true);
    expect(transport.playedSound(from + 405, 295).some((sample) => Math.abs(sample) > 5000)).toBe(
      true,
    );
    expect(transport.calls).toEqual(['started', { positionSeconds: 0.3, interrupted: false }]);
    await session.close();
    expect(clock.waiting).toBe(0);
  });

  test('are finished when they are interrupted before anybody hears them', async () => {
    const { clock, transport, session } = performInMemory();
    transport.audible = new Promise(() => {});
    await session.started;
    transport.listener!.begin('a', format);
    transport.listener!.chunk('a', pcm(tone(16_000, 300)));
    await clock.pass(100);

    transport.listener!.clear();
    await clock.pass(100);

    expect(transport.calls).toEqual([{ positionSeconds: 0, interrupted: true }]);
    await session.close();
  });

  test('are not those of a track before anybody hears it', async () => {
    const audible = Promise.withResolvers<void>();
    const { clock, transport, performer, session } = performInMemory();
    transport.audible = audible.promise;
    await session.started;
    for (let i = 0; i < 30; i++) {
      transport.listener!.voice(tone(48_000, 10));
      await clock.pass(10);
    }

    audible.resolve();
    await clock.pass(200);

    expect(performer.speech).toEqual([]);
    await session.close();
  });
});
