import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roomToken } from '../../stage/room-token.ts';
import { startMediaServer, type RunningMediaServer } from '../../support/processes/media-server.ts';

let server: RunningMediaServer;

beforeAll(async () => {
  server = await startMediaServer();
});
afterAll(() => server?.stop());

async function join(): Promise<Room> {
  const room = new Room();
  await room.connect(server.url, await roomToken(server, 'room', 'viewer'));
  return room;
}

/** Transport protocol of the room's media. */
async function protocolOf(room: Room): Promise<string | undefined> {
  const { publisherStats } = await room.getRtcStats();
  const stats = publisherStats.map(({ stats }) => stats);
  const pairs = stats.flatMap((each) => (each.case === 'candidatePair' ? [each.value] : []));
  const used = pairs.find(({ candidatePair }) => candidatePair?.nominated)?.candidatePair;
  const locals = stats.flatMap((each) => (each.case === 'localCandidate' ? [each.value] : []));
  return locals.find(({ rtc }) => rtc?.id === used?.localCandidateId)?.candidate?.protocol;
}

describe('the media server of `npm start`', () => {
  test('carries media over UDP', async () => {
    const room = await join();

    expect(await protocolOf(room)).toBe('udp');
    await room.disconnect();
  });
});
