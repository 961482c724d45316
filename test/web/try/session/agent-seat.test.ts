import { Room, type RpcInvocationData } from 'livekit-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PLAYBACK_FINISHED, PUBLISH_ON_BEHALF } from '../../../../src/protocol/room-terms.ts';
import { AgentSeat } from '../../../../src/web/try/session/agent-seat.ts';
import type { TryEvent } from '../../../../src/web/try/session/try-state.ts';

const AVATAR = 'avatar_worker';
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A stream to the avatar that opens when the test lets it. */
class Stream {
  readonly opening = Promise.withResolvers<Stream>();
  readonly written: Uint8Array[] = [];
  isClosed = false;

  async write(bytes: Uint8Array): Promise<void> {
    this.written.push(bytes);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  open(): void {
    this.opening.resolve(this);
  }
}

type RpcHandler = Parameters<Room['registerRpcMethod']>[1];

let seat: AgentSeat;
let handlers: Map<string, RpcHandler>;
let streams: Stream[];
let events: TryEvent[];

beforeEach(() => {
  streams = [];
  events = [];
  handlers = new Map();
  vi.spyOn(Room.prototype, 'registerRpcMethod').mockImplementation((name, handler) => {
    handlers.set(name, handler);
  });
  seat = new AgentSeat(
    async () => new Int16Array(160),
    (event) => events.push(event),
  );
  vi.spyOn(seat.room, 'connect').mockResolvedValue();
  const { localParticipant, remoteParticipants } = seat.room;
  localParticipant.identity = 'agent';
  vi.spyOn(localParticipant, 'streamBytes').mockImplementation(() => {
    const stream = new Stream();
    streams.push(stream);
    return stream.opening.promise as unknown as ReturnType<typeof localParticipant.streamBytes>;
  });
  remoteParticipants.set(AVATAR, {
    identity: AVATAR,
    attributes: { [PUBLISH_ON_BEHALF]: 'agent' },
    videoTrackPublications: new Map([['video', {}]]),
  } as never);
});
afterEach(async () => {
  await seat.close();
  vi.restoreAllMocks();
});

/** The avatar reports on a stream. */
async function report(playback_position: number): Promise<void> {
  const payload = JSON.stringify({ playback_position, interrupted: false });
  const call = { callerIdentity: AVATAR, payload } as RpcInvocationData;
  await handlers.get(PLAYBACK_FINISHED)?.(call);
  await settled();
}

const finished = () => events.filter(({ type }) => type === 'finished');

describe('the agent’s seat', () => {
  test('sends nothing of an utterance that is stopped while its stream opens', async () => {
    await seat.join('wss://media.example', 'token');
    seat.say(1, 'Hello.', 'nora');
    await settled();

    await seat.stop();
    streams[0]?.open();
    await settled();

    expect(streams).toHaveLength(1);
    expect(streams[0]).toMatchObject({ written: [], isClosed: true });
  });

  test('takes no report on that stream for one on the next utterance', async () => {
    await seat.join('wss://media.example', 'token');
    seat.say(1, 'Hello.', 'nora');
    await settled();
    await seat.stop();
    streams[0]?.open();
    seat.say(2, 'Bye.', 'nora');
    await settled();
    expect(streams).toHaveLength(1);

    await report(0);
    streams[1]?.open();
    await settled();

    expect(finished()).toEqual([{ type: 'finished', id: 1, heardSeconds: 0, isInterrupted: true }]);
    await report(0.01);
    expect(finished()[1]).toMatchObject({ id: 2, heardSeconds: 0.01, isInterrupted: false });
  });

  test('ends an utterance that is stopped before there is an avatar', async () => {
    seat.say(1, 'Hello.', 'nora');
    await settled();

    await seat.stop();
    await settled();

    expect(streams).toEqual([]);
    expect(finished()).toMatchObject([{ id: 1, heardSeconds: 0, isInterrupted: true }]);
  });
});
