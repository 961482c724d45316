import { describe, expect, test } from 'vitest';
import { PresenceWatch } from '../../../workers/avatar/presence.ts';
import { TestClock } from '../../support/test-clock.ts';

function given() {
  const clock = new TestClock();
  const reasons: string[] = [];
  const watch = new PresenceWatch(clock, (reason) => reasons.push(reason));
  return { clock, reasons, watch };
}

describe('presence watch', () => {
  test('leaves a room after 2 minutes if no participant joins', () => {
    const { clock, reasons, watch } = given();
    watch.present({ agentHere: false, participants: 0 });

    clock.advance(119_999);
    const earlyReasons = [...reasons];
    clock.advance(1);

    expect(earlyReasons).toEqual([]);
    expect(reasons[0]).toBe('room_empty');
  });

  test('leaves a room without an agent 30 s after the last participant left', () => {
    const { clock, reasons, watch } = given();
    watch.present({ agentHere: false, participants: 1 });
    clock.advance(1000);

    watch.present({ agentHere: false, participants: 0 });
    clock.advance(29_999);
    const earlyReasons = [...reasons];
    clock.advance(1);

    expect(earlyReasons).toEqual([]);
    expect(reasons).toEqual(['room_empty']);
  });

  test('waits 2 minutes at most for an agent that never joins', () => {
    const { clock, reasons, watch } = given();
    watch.present({ agentHere: false, participants: 1 });

    clock.advance(120_000);

    expect(reasons).toEqual(['agent_left']);
  });

  test('does not restart the wait for the agent when others join and leave', () => {
    const { clock, reasons, watch } = given();
    watch.present({ agentHere: true, participants: 1 });
    watch.present({ agentHere: false, participants: 1 });
    clock.advance(6_000);

    watch.present({ agentHere: false, participants: 2 });
    clock.advance(4_000);

    expect(reasons).toEqual(['agent_left']);
  });

  test('leaves no timer after close', () => {
    const { clock, watch } = given();
    watch.present({ agentHere: false, participants: 0 });

    watch.close();

    expect(clock.waiting).toBe(0);
  });
});
