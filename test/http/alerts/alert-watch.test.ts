import { expect, test } from 'vitest';
import type { AlertRule } from '../../../src/http/alerts/alert-rule.ts';
import { AlertWatch } from '../../../src/http/alerts/alert-watch.ts';
import type { KnownState } from '../../../src/http/alerts/known-state.ts';
import { TestClock } from '../../support/test-clock.ts';

const state = {} as KnownState;
const rule = (name: string, fields: Partial<AlertRule>): AlertRule => ({
  name,
  severity: 'warning',
  forMinutes: 0,
  holds: () => [{ about: null, summary: name }],
  advice: '',
  ...fields,
});

test('an alert is pending until its condition has held long enough, and begins anew when it returns', async () => {
  const clock = new TestClock();
  let isOn = true;
  const holds = () => (isOn ? [{ about: 'a', summary: 's' }] : []);
  const watch = new AlertWatch({
    rules: [rule('One', { forMinutes: 2, holds })],
    read: async () => state,
    clock,
    log: { warn: () => {} },
  });
  const states = async () => (await watch.look()).map((each) => each.state);

  expect(await states()).toEqual(['pending']);
  await clock.pass(119_000);
  expect(await states()).toEqual(['pending']);
  await clock.pass(1_000);
  expect(await watch.look()).toMatchObject([{ state: 'firing', since: clock.now() - 120_000 }]);
  isOn = false;
  // Seen by the timer, without a request.
  await clock.pass(30_000);
  isOn = true;
  expect(await states()).toEqual(['pending']);

  await watch.close();
  expect(clock.waiting).toBe(0);
});

test('firing alerts come first, of these the critical ones', async () => {
  const watch = new AlertWatch({
    rules: [
      rule('Pending', { severity: 'critical', forMinutes: 1 }),
      rule('Warning', {}),
      rule('Lowered', {
        severity: 'critical',
        holds: () => [{ about: null, summary: '', severity: 'warning' }],
      }),
      rule('Critical', { severity: 'critical' }),
    ],
    read: async () => state,
    clock: new TestClock(),
    log: { warn: () => {} },
  });

  const names = (await watch.look()).map(({ name }) => name);

  expect(names).toEqual(['Critical', 'Warning', 'Lowered', 'Pending']);
  await watch.close();
});

test('a state that cannot be read is reported, and read again', async () => {
  const clock = new TestClock();
  const warned: unknown[] = [];
  let reads = 0;
  const watch = new AlertWatch({
    rules: [rule('One', {})],
    read: async () => {
      reads += 1;
      if (reads === 1) throw new Error('database away');
      return state;
    },
    clock,
    log: { warn: (about: unknown) => warned.push(about) },
  });

  await clock.pass(30_000);
  expect(warned).toHaveLength(1);
  await clock.pass(30_000);

  expect(reads).toBe(2);
  expect(await watch.look()).toMatchObject([{ state: 'firing' }]);
  await watch.close();
});
