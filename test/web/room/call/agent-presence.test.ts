import { describe, expect, test } from 'vitest';
import { AGENT_EPOCH, AGENT_LOST, AI_MARK, HEARS } from '#protocol/room-terms.ts';
import { AgentPresence } from '../../../../src/web/room/call/agent-presence.ts';
import * as terms from '#protocol/room-terms.ts';
import { roomMetadata } from '../../../../src/calls/agent-losses.ts';

const agentOf = (epoch: number) => ({ [HEARS]: 'yes', [AGENT_EPOCH]: String(epoch) });
const justJoined = {};

function met(): AgentPresence {
  const presence = new AgentPresence();
  presence.met();
  return presence;
}

describe('an agent', () => {
  test('is on its way until it was met, and gone when it has left', () => {
    expect(new AgentPresence().isThere([], roomMetadata())).toBe(true);
    expect(new AgentPresence().isListening([], roomMetadata())).toBe(false);
    expect(met().isThere([], roomMetadata())).toBe(false);
    expect(met().isThere([agentOf(1)], roomMetadata())).toBe(true);
    expect(met().isListening([agentOf(1)], roomMetadata())).toBe(true);
  });

  test('that listens to nobody yet is not there', () => {
    expect(met().isThere([justJoined], roomMetadata())).toBe(false);
  });

  test('that is called lost is not there, although it sits in the room', () => {
    expect(met().isThere([agentOf(1)], roomMetadata(1))).toBe(false);
    expect(met().isThere([agentOf(2)], roomMetadata(3))).toBe(false);
  });

  test('has a successor that is there when it listens', () => {
    const presence = met();

    expect(presence.isThere([justJoined], roomMetadata(1))).toBe(false);
    expect(presence.isThere([agentOf(2)], roomMetadata(1))).toBe(true);
  });

  test('of an earlier version is there when it says anything of itself', () => {
    expect(met().isThere([{ [HEARS]: 'no' }], roomMetadata(1))).toBe(true);
  });

  test('that was cut off from the service only is there when it speaks, until it is lost again', () => {
    const presence = met();
    presence.heard(roomMetadata(1));

    expect(presence.isThere([agentOf(1)], roomMetadata(1))).toBe(true);
    expect(presence.isThere([agentOf(1)], roomMetadata(2))).toBe(false);
  });

  test('that came back as it was is there', () => {
    expect(met().isThere([agentOf(1)], roomMetadata(0))).toBe(true);
  });

  test.each([undefined, '', 'no JSON', 'null', '7', `{"${AGENT_LOST}":"1"}`])(
    'is there whatever else a room says: %s',
    (metadata) => {
      expect(met().isThere([agentOf(1)], metadata)).toBe(true);
    },
  );
});

test('pages and service call things by the same names', () => {
  expect(terms).toMatchObject({ AGENT_EPOCH, AGENT_LOST, HEARS });
  expect(JSON.parse(roomMetadata(3))).toEqual({ [AI_MARK]: true, [AGENT_LOST]: 3 });
});
