import { describe, expect, test } from 'vitest';
import { AGENT_EPOCH, AGENT_LOST, AI_MARK, HEARS } from '#protocol/room-terms.ts';
import { AgentPresence } from '../../../../src/web/call/connection/agent-presence.ts';
import { roomMetadata } from '../../../../src/calls/agent-losses.ts';

const agentOf = (epoch: number) => ({ [HEARS]: 'yes', [AGENT_EPOCH]: String(epoch) });
const justJoined = {};

function afterMeeting(): AgentPresence {
  const presence = new AgentPresence();
  presence.met();
  return presence;
}

describe('agent presence', () => {
  test('expects an agent before the first one joins, and misses it after it leaves', () => {
    expect(new AgentPresence().isThere([], roomMetadata())).toBe(true);
    expect(new AgentPresence().isListening([], roomMetadata())).toBe(false);
    expect(afterMeeting().isThere([], roomMetadata())).toBe(false);
    expect(afterMeeting().isThere([agentOf(1)], roomMetadata())).toBe(true);
    expect(afterMeeting().isListening([agentOf(1)], roomMetadata())).toBe(true);
  });

  test('ignores an agent that is not listening yet', () => {
    expect(afterMeeting().isThere([justJoined], roomMetadata())).toBe(false);
  });

  test('ignores a lost agent that is still in the room', () => {
    expect(afterMeeting().isThere([agentOf(1)], roomMetadata(1))).toBe(false);
    expect(afterMeeting().isThere([agentOf(2)], roomMetadata(3))).toBe(false);
  });

  test('accepts the successor of a lost agent when it listens', () => {
    const presence = afterMeeting();

    expect(presence.isThere([justJoined], roomMetadata(1))).toBe(false);
    expect(presence.isThere([agentOf(2)], roomMetadata(1))).toBe(true);
  });

  test('accepts an older agent without an epoch', () => {
    expect(afterMeeting().isThere([{ [HEARS]: 'no' }], roomMetadata(1))).toBe(true);
  });

  test('accepts a lost agent that speaks, until it is lost again', () => {
    const presence = afterMeeting();
    presence.heard(roomMetadata(1));

    expect(presence.isThere([agentOf(1)], roomMetadata(1))).toBe(true);
    expect(presence.isThere([agentOf(1)], roomMetadata(2))).toBe(false);
  });

  test('accepts an agent of the same epoch that came back', () => {
    expect(afterMeeting().isThere([agentOf(1)], roomMetadata(0))).toBe(true);
  });

  test.each([undefined, '', 'no JSON', 'null', '7', `{"${AGENT_LOST}":"1"}`])(
    'ignores other room metadata: %s',
    (metadata) => {
      expect(afterMeeting().isThere([agentOf(1)], metadata)).toBe(true);
    },
  );
});

test('the service writes the room metadata that pages read', () => {
  expect(JSON.parse(roomMetadata(3))).toEqual({ [AI_MARK]: true, [AGENT_LOST]: 3 });
});
