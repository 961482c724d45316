import { describe, expect, test } from 'vitest';
import type { Fleet, WorkerStatus } from '../../src/fleet/fleet.ts';
import { canRecognizeSpeech } from '../../src/fleet/speech-recognition.ts';
import { FakeConnection } from '../support/fleet/fake-connection.ts';
import { TestClock } from '../support/test-clock.ts';

/** Agent workers of the default pool that hear these languages, and how often they were read. */
function fleetOf(...languages: string[]) {
  const fleet = {
    languages,
    reads: 0,
    isAway: false,
    async workers() {
      fleet.reads += 1;
      if (fleet.isAway) throw new Error('away');
      return fleet.languages.map((language) => {
        const { facts } = new FakeConnection(`agent-${language}`, 1, 'default', 'agent');
        return { facts: { ...facts, abilities: [`hears:${language}`] } } as WorkerStatus;
      });
    },
  };
  return fleet satisfies Pick<Fleet, 'workers'>;
}

const ask = async (canRecognize: ReturnType<typeof canRecognizeSpeech>, language: string) =>
  (await canRecognize(null))(language);

describe('speech recognition of the fleet', () => {
  test('is that of the agent workers of a pool', async () => {
    const canRecognize = canRecognizeSpeech({
      fleet: fleetOf('en'),
      clock: new TestClock(),
      keptMs: 0,
    });

    expect([await ask(canRecognize, 'en-US'), await ask(canRecognize, 'de')]).toEqual([
      true,
      false,
    ]);
    expect((await canRecognize('other'))('en')).toBe(false);
  });

  test('is read once for requests of the same moment', async () => {
    const clock = new TestClock();
    const fleet = fleetOf();
    const canRecognize = canRecognizeSpeech({ fleet, clock, keptMs: 1_000 });

    await Promise.all([canRecognize(null), canRecognize('other')]);
    fleet.languages = ['en'];
    clock.advance(999);
    const earlierAnswer = await ask(canRecognize, 'en');
    clock.advance(1);

    expect([earlierAnswer, await ask(canRecognize, 'en')]).toEqual([false, true]);
    expect(fleet.reads).toBe(2);
  });

  test('is read again after a failure', async () => {
    const fleet = fleetOf('en');
    const canRecognize = canRecognizeSpeech({ fleet, clock: new TestClock(), keptMs: 1_000 });
    fleet.isAway = true;
    await expect(canRecognize(null)).rejects.toThrow('away');

    fleet.isAway = false;

    expect(await ask(canRecognize, 'en')).toBe(true);
  });
});
