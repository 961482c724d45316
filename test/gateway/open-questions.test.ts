import { describe, expect, test } from 'vitest';
import { OpenQuestions } from '../../src/gateway/open-questions.ts';
import { TestClock } from '../support/test-clock.ts';

const KEPT_MS = 4_000;
const placementOf = (sessionId: string) => ({ sessionId, epoch: 1 });

function open() {
  const clock = new TestClock();
  const sentIds: string[] = [];
  const questions = new OpenQuestions(clock);
  const take = (sessionId: string) =>
    questions.ask(
      { type: 'take_still', placement: placementOf(sessionId) },
      () => void sentIds.push(sessionId),
    );
  const answer = (sessionId: string, jpeg: string) =>
    questions.answered({ type: 'still', placement: placementOf(sessionId), jpeg });
  return { clock, sent: sentIds, questions, take, answer };
}

describe('questions to a worker', () => {
  test('are sent once until their answers are forgotten', async () => {
    const { clock, sent: sentIds, questions, take, answer } = open();
    const waiting = [take('one'), take('one'), take('two')];
    answer('one', 'first');
    answer('two', 'second');

    expect(await Promise.all(waiting)).toEqual(['first', 'first', 'second']);
    expect(await take('one')).toBe('first');
    expect(sentIds).toEqual(['one', 'two']);

    clock.advance(KEPT_MS);
    expect(clock.waiting).toBe(0);
    void take('one');
    expect(sentIds).toEqual(['one', 'two', 'one']);
    questions.close();
  });

  test('have no result without an answer in time, and a late one changes nothing', async () => {
    const { clock, questions, take, answer } = open();
    const still = take('one');
    clock.advance(2_000);
    answer('one', 'late');

    expect(await still).toBeNull();
    expect(await take('one')).toBeNull();
    questions.close();
  });

  test('leave no timer and no waiting caller on close, and ignore other answers', async () => {
    const { clock, questions, take, answer } = open();
    const still = take('one');
    answer('two', 'not asked');
    questions.close();

    expect(await still).toBeNull();
    expect(clock.waiting).toBe(0);
  });
});
