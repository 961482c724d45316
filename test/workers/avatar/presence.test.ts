import { describe, expect, test } from 'vitest';
import { PresenceWatch } from '../../../workers/avatar/presence.ts';
import { TestClock } from '../../support/test-clock.ts';

function given() {
  const clock = new TestClock();
  const over: string[] = [];
  const watch = new PresenceWatch(clock, (reason) => over.push(reason));
  return { clock, over, watch };
}

describe('presence', () => {
  test('a room that nobody comes to is left after 2 minutes', () => {
    const { clock, over, watch } = given();
    watch.present({ agentHere: false, others: 0 });

    clock.advance(119_999);
    const before = [...over];
    clock.advance(1);

    expect(before).toEqual([]);
    expect(over[0]).toBe('room_empty');
  });

  test('a room without an agent of its own is left 30 s after the last one went', () => {
    const { clock, over, watch } = given();
    watch.present({ agentHere: false, others: 1 });
    clock.advance(1000);

    watch.present({ agentHere: false, others: 0 });
    clock.advance(29_999);
    const before = [...over];
    clock.advance(1);

    expect(before).toEqual([]);
    expect(over).toEqual(['room_empty']);
  });

  test('an agent that never comes is not waited for longer than 2 minutes', () => {
    const { clock, over, watch } = given();
    watch.present({ agentHere: false, others: 1 });

    clock.advance(120_000);

    expect(over).toEqual(['agent_left']);
  });

  test('others who come and go do not begin the wait for the agent again', () => {
    const { clock, over, watch } = given();
    watch.present({ agentHere: true, others: 1 });
    watch.present({ agentHere: false, others: 1 });
    clock.advance(6_000);

    watch.present({ agentHere: false, others: 2 });
    clock.advance(4_000);

    expect(over).toEqual(['agent_left']);
  });

  test('nothing waits after it is closed', () => {
    const { clock, watch } = given();
    watch.present({ agentHere: false, others: 0 });

    watch.close();

    expect(clock.waiting).toBe(0);
  });
});
