import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { RoomAgent } from '../../../../../workers/avatar/transport/mediaserver/room-agent.ts';
import type { RoomListener } from '../../../../../workers/avatar/transport/transport.ts';
import { quietLog } from '../../../../support/fleet/control-plane.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

type Parts = ConstructorParameters<typeof RoomAgent>[0];

const takeover = { unanswered: [{ positionSeconds: 0, interrupted: true }], byStreams: false };

let clock: TestClock;
let done: string[];
let onCall: () => Promise<void>;
let participants: Map<string, object>;
let room: { isConnected: boolean };
let agent: RoomAgent;
const listener = { answered: () => void done.push('answered') } as unknown as RoomListener;
beforeEach(() => {
  clock = new TestClock();
  done = [];
  onCall = async () => {};
  const localParticipant = {
    attributes: { 'lk.publish_on_behalf': 'agent' },
    registerRpcMethod: (name: string) => void done.push(`registers ${name}`),
    performRpc: async ({ method, payload }: { method: string; payload: string }) => {
      done.push(`calls ${method} ${payload}`.trim());
      await onCall();
    },
  };
  participants = new Map([['agent', { identity: 'agent', trackPublications: new Map() }]]);
  room = Object.assign(new EventEmitter(), {
    isConnected: true,
    localParticipant,
    remoteParticipants: participants,
    registerByteStreamHandler: () => void done.push('takes speech'),
    unregisterByteStreamHandler: () => void done.push('takes no speech'),
  });
  agent = new RoomAgent({ room, token: '', clock, log: quietLog } as unknown as Parts);
});

const finishedAt = (seconds: number) =>
  `calls lk.playback_finished {"playback_position":${seconds},"interrupted":true}`;

test('on a takeover, the agent is answered and may clear once the tracks are published', async () => {
  await agent.open(listener, takeover);
  agent.joined(listener, takeover);
  await settle();
  const earlySteps = [...done];
  agent.published();
  await settle();

  expect(earlySteps).toEqual([]);
  expect(done).toEqual(['registers lk.clear_buffer', finishedAt(0), 'answered', 'takes speech']);
  await agent.close();
});

test('before the avatar leaves, the agent gets its reports and can begin no more speech', async () => {
  const reply = Promise.withResolvers<void>();
  onCall = () => reply.promise;
  await agent.open(listener);
  agent.joined(listener);
  let hasLeft = false;

  agent.playbackFinished({ positionSeconds: 1.5, interrupted: true });
  const closing = agent.close().then(() => (hasLeft = true));
  await settle();
  expect(done).toEqual(['takes speech', 'takes no speech', finishedAt(1.5)]);
  expect(hasLeft).toBe(false);
  reply.resolve();
  await closing;

  expect(clock.waiting).toBe(0);
});

test('an agent that does not reply keeps the avatar for a second', async () => {
  onCall = () => new Promise(() => {});
  await agent.open(listener);
  agent.joined(listener);
  agent.playbackFinished({ positionSeconds: 1.5, interrupted: true });
  let hasLeft = false;
  const closing = agent.close().then(() => (hasLeft = true));

  await clock.pass(999);
  expect(hasLeft).toBe(false);
  await clock.pass(1);
  await closing;

  expect(done.filter((step) => step === finishedAt(1.5))).toHaveLength(1);
});

test('a session that ends during a takeover still answers for the previous worker', async () => {
  await agent.open(listener, takeover);
  agent.joined(listener, takeover);

  await agent.close();

  expect(done).toEqual([finishedAt(0)]);
});

test.each(['the agent has left', 'the room is closed'])(
  'no report is sent when %s',
  async (why) => {
    await agent.open(listener);
    agent.joined(listener);
    if (why === 'the room is closed') room.isConnected = false;
    else participants.clear();
    agent.playbackFinished({ positionSeconds: 1.5, interrupted: true });

    await agent.close();

    expect(done).toEqual(['takes speech', 'takes no speech']);
  },
);
