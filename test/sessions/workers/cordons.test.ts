import { expect, test } from 'vitest';
import { Cordons } from '../../../src/sessions/workers/cordons.ts';
import { TestClock } from '../../support/test-clock.ts';

/** Answers each read when the test says so. */
function begin() {
  const clock = new TestClock();
  const reads: PromiseWithResolvers<string[]>[] = [];
  const cordonCalls: string[][] = [];
  const warned: unknown[] = [];
  const cordons = new Cordons({
    records: {
      workerIds: () => {
        reads.push(Promise.withResolvers());
        return reads.at(-1)!.promise;
      },
      forget: async () => {},
    },
    fleet: { cordon: (ids) => cordonCalls.push([...ids]), workers: async () => [] },
    bus: null,
    clock,
    log: { warn: (about: unknown) => warned.push(about) },
  });
  return { clock, reads, known: cordonCalls, warned, cordons };
}

test('cordons stay while the records cannot be read, and are read again', async () => {
  const { clock, reads, known: cordonCalls, warned, cordons } = begin();
  const started = cordons.start();
  await clock.pass(0);
  reads[0]!.resolve(['worker-a']);
  await started;

  await clock.pass(5_000);
  reads[1]!.reject(new Error('database away'));
  await clock.pass(5_000);
  reads[2]!.resolve(['worker-b']);
  await clock.pass(0);

  expect(cordonCalls).toEqual([['worker-a'], ['worker-b']]);
  expect(warned).toHaveLength(1);
  await cordons.close();
  expect(clock.waiting).toBe(0);
});

test('a change is read after the reads before it, so that an older one does not undo it', async () => {
  const { clock, reads, known: cordonCalls, cordons } = begin();
  const started = cordons.start();
  await clock.pass(0);
  const changed = cordons.changed();
  await clock.pass(0);
  expect(reads).toHaveLength(1);

  reads[0]!.resolve([]);
  await clock.pass(0);
  reads[1]!.resolve(['worker-a']);
  await Promise.all([started, changed]);

  expect(cordonCalls).toEqual([[], ['worker-a']]);
  await cordons.close();
});
