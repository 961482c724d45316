import { describe, expect, test } from 'vitest';
import { readCpu, RunCosts, type Cpu } from '../../../src/start/tests/run-costs.ts';
import { TestClock } from '../../support/test-clock.ts';

test('the CPU time is read in seconds, whatever the name of the program', () => {
  const fields = 'S 1 42 42 0 -1 4194560 9 8 7 6 150 50 1000 234 20 0 11 0 5';

  const files: Record<string, string> = {
    '/proc/self/stat': `42 (a) S 2 (b) ${fields}`,
    '/proc/stat': 'cpu  1000 200 300 9000 10 0 20 30\ncpu0 500 100 150 4500 5 0 10 15\n',
  };

  expect(readCpu((file) => files[file]!)).toEqual({ own: 2, waitedFor: 12.34, machine: 15 });
  expect(readCpu(() => null)).toBeNull();
});

describe('the costs of runs', () => {
  test('are told apart by when they end, and added to those of this process', () => {
    const clock = new TestClock();
    let cpu: Cpu = { own: 1, waitedFor: 7, machine: 50 };
    const costs = new RunCosts(clock, () => cpu);
    clock.advance(500);
    const endUnit = costs.begin('unit, fuzz');
    const endJourneys = costs.begin('journeys');

    clock.advance(2_000);
    cpu = { own: 1, waitedFor: 107, machine: 200 };
    endJourneys();
    clock.advance(62_260);
    cpu = { own: 2, waitedFor: 1_307, machine: 1_450 };
    endUnit();

    expect(costs.lines()).toEqual([
      'Wall time, and CPU time (user and system, without processes that outlived their parents):',
      '    2.0 s  100.0 s  journeys',
      '   64.3 s 1200.0 s  unit, fuzz',
      '   64.8 s 1309.0 s  all, with preparation',
      '   64.8 s 1400.0 s  the whole machine meanwhile',
    ]);
  });

  test('are wall times alone where the system reports no CPU times', () => {
    const clock = new TestClock();
    const costs = new RunCosts(clock, () => null);
    const end = costs.begin('unit');
    clock.advance(1_000);
    end();

    expect(costs.lines()).toEqual([
      'Wall time:',
      '    1.0 s  unit',
      '    1.0 s  all, with preparation',
    ]);
  });
});
