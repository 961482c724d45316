/*
 * `node native.ts URL TOKEN`: joins a room and prints a line of JSON for each second in which
 * frames arrive, until it is killed.
 */
import { Room, RoomEvent, TrackKind, VideoStream, type RemoteTrack } from '@livekit/rtc-node';
import type { SeenSecond } from './watch.ts';

const BLOCK = 32;
/** Change of a block's mean brightness, of 255. Coding noise alone stays below. */
const MOVED = 3;

const [url = '', token = ''] = process.argv.slice(2);
const room = new Room();
room.on(RoomEvent.TrackSubscribed, (track) => {
  if (track.kind === TrackKind.KIND_VIDEO) void watch(track);
});
await room.connect(url, token, { autoSubscribe: true, dynacast: false });

async function watch(track: RemoteTrack): Promise<void> {
  let second: SeenSecond = { frames: 0, moved: 0 };
  let since = performance.now();
  let startBlocks: number[] | null = null;
  for await (const { frame } of new VideoStream(track)) {
    const blocks = brightness(frame);
    if (startBlocks?.some((mean, at) => Math.abs(mean - blocks[at]!) > MOVED)) second.moved += 1;
    // A slow move is compared with the start of the second.
    startBlocks ??= blocks;
    second.frames += 1;
    if (performance.now() - since < 1_000) continue;
    process.stdout.write(`${JSON.stringify(second)}\n`);
    second = { frames: 0, moved: 0 };
    startBlocks = null;
    since = performance.now();
  }
}

/** Mean brightness of each block. The picture is I420: brightness comes first. */
function brightness(frame: { data: Uint8Array; width: number; height: number }): number[] {
  const means: number[] = [];
  for (let top = 0; top + BLOCK <= frame.height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= frame.width; left += BLOCK) {
      let sum = 0;
      for (let y = top; y < top + BLOCK; y += 1)
        for (let x = left; x < left + BLOCK; x += 1) sum += frame.data[y * frame.width + x]!;
      means.push(sum / BLOCK ** 2);
    }
  }
  return means;
}
