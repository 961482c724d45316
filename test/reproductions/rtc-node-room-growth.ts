/*
 * Measures what a process keeps of each room that rtc-node 0.13.35 has left:
 *   npx tsx --expose-gc test/reproductions/rtc-node-room-growth.ts WAY [ROOMS]
 * WAY: `bare` joins and leaves as the SDK documents it; `connect` adds
 * workers/runtime/media-engine.ts and forget-room.ts; `publish` also sends two tracks, made once;
 * `product` is a session as workers perform it; `refused` fails to join.
 *
 * Results on Linux x64, Node 24.21, for each room after the tenth: `bare` 0.39 MB, `connect` 0.39
 * MB, `product` 0.50 MB, `refused` 0.07 MB. JavaScript's heap, external memory, threads and files
 * stay constant. Our code does not cause it: `bare` grows alike. MALLOC_ARENA_MAX=1 changes nothing
 * (0.50 MB), and jemalloc leaves 0.30 MB of `connect`: it is not only fragmentation. After 21 rooms
 * heaptrack finds 0.41 MB a room still allocated at exit, in equal blocks for each (one of 29 KB,
 * one of 18.5 KB, three of 6 KB, six of 4 KB, and smaller ones), all from
 * rtc-node.linux-x64-gnu.node. It has no symbols, so the leaking object is unknown. Joined rooms
 * leak, refused ones do not. RENEW_AFTER_SESSIONS restarts workers for this reason.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dispose, Room, TrackPublishOptions, TrackSource } from '@livekit/rtc-node';
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { roomToken } from '../../src/rooms/room-token.ts';
import { MediaServerTransport } from '../../workers/avatar/transport/mediaserver/mediaserver.ts';
import { AvatarTracks, TrackShelf } from '../../workers/avatar/transport/track-shelf.ts';
import { TracksNotTaken } from '../../workers/avatar/transport/transport.ts';
import { forgetRoom } from '../../workers/runtime/forget-room.ts';
import { startMediaEngine } from '../../workers/runtime/media-engine.ts';
import { startMediaServer } from '../support/processes/media-server.ts';

const [way = 'product', count = '60'] = process.argv.slice(2);
const EVERY = 10;
const SIZE = { width: 512, height: 512 };
const listener = {
  present() {},
  begin() {},
  chunk() {},
  end() {},
  clear() {},
  packet() {},
  listens() {},
  renewed() {},
  hasOpen: () => false,
  voice() {},
  voiceEnded() {},
  answered() {},
};

const server = await startMediaServer();
if (way !== 'bare') startMediaEngine();
const log = createLog({ name: 'growth', level: 'silent' });
let room = 0;
// Ten rooms later its tracks may be used again, so all after the tenth use the same ones. By the
// real time, rooms that go faster than earlier ones would need more tracks.
const shelf = new TrackShelf({ ...systemClock, elapsed: () => room * 200 });
const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
const tracks = way === 'publish' ? new AvatarTracks(SIZE) : null;

for (; room <= Number(count); room++) {
  if (room % EVERY === 0) await report(room);
  const key = way === 'refused' ? { ...server, apiSecret: server.apiSecret.toUpperCase() } : server;
  const token = await roomToken(key, `room-${room}`, { identity: 'face', ttl: '1h' });
  if (way === 'product') await perform(token);
  else await joinAndLeave(token);
}
await dispose();
await server.stop();

async function perform(token: string) {
  const transport = new MediaServerTransport({
    room: { url: server.url, token },
    video: { ...SIZE, fps: 25 },
    tracks: shelf,
    clock: systemClock,
    log,
  });
  await transport.join(listener);
  // The worker hands such a session back, and goes on.
  await transport.publish().catch((error: unknown) => {
    if (!(error instanceof TracksNotTaken)) throw error;
  });
  await transport.close();
}

async function joinAndLeave(token: string) {
  const room = new Room();
  await room
    .connect(server.url, token, { autoSubscribe: false, dynacast: false })
    .catch((error: unknown) => {
      if (way !== 'refused') throw error;
    });
  if (tracks) {
    await room.localParticipant!.publishTrack(
      tracks.videoTrack,
      new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false }),
    );
    await room.localParticipant!.publishTrack(
      tracks.audioTrack,
      new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
    );
  }
  await room.disconnect();
  if (way !== 'bare') forgetRoom(room);
}

async function report(rooms: number) {
  // The engine releases a room on its own threads.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (let i = 0; i < 3; i++) globalThis.gc!();
  const rollup = readFileSync('/proc/self/smaps_rollup', 'utf8');
  const privateMb = Number(/Private_Dirty:\s+(\d+)/.exec(rollup)![1]) / 1024;
  const { heapUsed, external } = process.memoryUsage();
  console.log(
    `${String(rooms).padStart(4)} rooms: ${privateMb.toFixed(1)} MB private, heap ${mb(heapUsed)}, external ${mb(external)}, ` +
      `threads ${readdirSync('/proc/self/task').length}, files ${readdirSync('/proc/self/fd').length}`,
  );
}
