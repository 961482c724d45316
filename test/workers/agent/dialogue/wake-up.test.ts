import { expect, test } from 'vitest';
import { WakeUp } from '../../../../workers/agent/dialogue/wake-up.ts';
import { TestClock } from '../../../support/test-clock.ts';

const open = (wakeUpPhrases?: string[]) => {
  const clock = new TestClock();
  const brief = { agentName: 'Nora', language: 'en', ...(wakeUpPhrases && { wakeUpPhrases }) };
  return { clock, wakeUp: new WakeUp(brief, clock) };
};

test('an agent without wake-up phrases is always awake', () => {
  expect(open().wakeUp.wakes('Anything')).toBe(true);
});

test('an agent wakes up at its name and at its phrases, as whole words', () => {
  const { wakeUp } = open(['hey assistant']);

  expect(wakeUp.wakes('What time is it?')).toBe(false);
  expect(wakeUp.wakes('Eleonora is here.')).toBe(false);
  expect(wakeUp.wakes('Nora, what time is it?')).toBe(true);
  expect(wakeUp.wakes('Hey, assistant!')).toBe(true);
});

test('an agent stays awake for a minute after an answer', async () => {
  const { clock, wakeUp } = open([]);
  wakeUp.answered();

  await clock.pass(59_000);
  expect(wakeUp.wakes('And on Sunday?')).toBe(true);

  await clock.pass(2_000);
  expect(wakeUp.wakes('And on Sunday?')).toBe(false);
});
