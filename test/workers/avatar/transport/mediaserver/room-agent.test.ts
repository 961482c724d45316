import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { RoomAgent } from '../../../../../workers/avatar/transport/mediaserver/room-agent.ts';
import type { RoomListener } from '../../../../../workers/avatar/transport/transport.ts';
import { quietLog } from '../../../../support/fleet/control-plane.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

type Parts = ConstructorParameters<typeof RoomAgent>[0];

test('on a takeover, the agent is answered and may clear once the tracks are published', async () => {
  const done: string[] = [];
  const localParticipant = {
    attributes: { 'lk.publish_on_behalf': 'agent' },
    registerRpcMethod: (name: string) => void done.push(`registers ${name}`),
    performRpc: async ({ method }: { method: string }) => void done.push(`calls ${method}`),
  };
  const room = Object.assign(new EventEmitter(), {
    localParticipant,
    remoteParticipants: new Map([['agent', { identity: 'agent', trackPublications: new Map() }]]),
    registerByteStreamHandler: () => void done.push('takes speech'),
  });
  const listener = { answered: () => void done.push('answered') } as unknown as RoomListener;
  const agent = new RoomAgent({
    room,
    token: '',
    clock: new TestClock(),
    log: quietLog,
  } as unknown as Parts);
  const takeover = { unanswered: [{ positionSeconds: 0, interrupted: true }], byStreams: false };

  await agent.open(listener, takeover);
  agent.joined(listener, takeover);
  await settle();
  const earlySteps = [...done];
  agent.published();
  await settle();

  expect(earlySteps).toEqual([]);
  expect(done).toEqual([
    'registers lk.clear_buffer',
    'calls lk.playback_finished',
    'answered',
    'takes speech',
  ]);
  await agent.close();
});
