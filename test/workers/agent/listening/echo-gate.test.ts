import { expect, test } from 'vitest';
import { EchoGate } from '../../../../workers/agent/listening/echo-gate.ts';

const sound = (level: number) => new Int16Array(2_048).fill(level);

test('the echo gate admits all sound until an echo was heard, then louder sound', () => {
  const gate = new EchoGate();
  expect(gate.admits(sound(100), false)).toBe(true);
  expect(gate.hasLearnt).toBe(false);

  gate.learn(sound(1_000));
  expect(gate.hasLearnt).toBe(true);

  expect(gate.admits(sound(1_000), false)).toBe(false);
  expect(gate.admits(sound(1_200), false)).toBe(false);
  expect(gate.admits(sound(1_200), true)).toBe(true);
  expect(gate.admits(sound(4_000), false)).toBe(true);
});
