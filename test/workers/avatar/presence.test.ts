import { describe, expect, test } from 'vitest';
import { PresenceWatch } from '../../../workers/avatar/presence.ts';
import { TestClock } from '../../support/test-clock.ts';

function given() {
  const clock = new TestClock();
  const reasons: string[] = [];
  const details: (string | undefined)[] = [];
  const missing: string[] = [];
  const watch = new PresenceWatch(clock, {
    onOver: (reason, detail) => {
      reasons.push(reason);
      details.push(detail);
    },
    onMissing: (detail) => missing.push(detail),
  });
  return { clock, reasons, details, missing, watch };
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

  test.each([
    ['helper', 'The agent "helper" of the token was never seen'],
    ['A-7 "x"', String.raw`The agent "A-7 \"x\"" of the token was never seen`],
    [null, 'No participant of the kind `agent` joined'],
  ])('says within seconds that the agent %s is missing, and again at the end', (name, text) => {
    const { clock, details, missing, watch } = given();
    const presence = { agentHere: false, participants: 2, agentName: name };
    watch.present(presence);

    clock.advance(5_000);
    watch.present({ ...presence, participants: 1 });
    const earlyMissing = [...missing];
    clock.advance(5_000);
    const missingIn10s = [...missing];
    clock.advance(110_000);

    expect(earlyMissing).toEqual([]);
    expect(missingIn10s).toEqual([expect.stringContaining(text)]);
    expect(missing).toHaveLength(1);
    expect(details).toEqual([expect.stringContaining(text)]);
    expect(details[0]).toContain('lk.publish_on_behalf');
  });

  test('explains an empty room with the agent that is expected there', () => {
    const { clock, reasons, details, watch } = given();
    watch.present({ agentHere: false, participants: 0, agentName: 'helper' });

    clock.advance(120_000);

    expect(reasons[0]).toBe('room_empty');
    expect(details[0]).toContain('"helper"');
  });

  test('says nothing of an agent that came in time, left, or does not come to the room', () => {
    const { clock, details, missing, watch } = given();
    watch.present({ agentHere: false, participants: 1, agentName: 'helper' });
    clock.advance(9_000);
    watch.present({ agentHere: true, participants: 2, agentName: 'helper' });
    clock.advance(60_000);
    watch.present({ agentHere: false, participants: 1, agentName: 'helper' });
    clock.advance(10_000);
    const elsewhere = given();
    elsewhere.watch.present({ agentHere: false, participants: 1 });
    elsewhere.clock.advance(120_000);

    expect(missing).toEqual([]);
    expect(details).toEqual([undefined]);
    expect(elsewhere).toMatchObject({ missing: [], details: [undefined] });
  });

  test('leaves no timer after close', () => {
    const { clock, watch } = given();
    watch.present({ agentHere: false, participants: 0 });

    watch.close();

    expect(clock.waiting).toBe(0);
  });
});
