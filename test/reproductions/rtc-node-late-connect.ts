/*
 * Shows how rtc-node 0.13.35 drops a room that its process is still joining:
 *   npx tsx --expose-gc test/reproductions/rtc-node-late-connect.ts [SECONDS]
 * The process stops for SECONDS (default 17), as on a machine that is paused, after it asked for
 * `connect`. The engine waits 15 s for its answer, then drops the room's handle. `connect` fails,
 * and so does the garbage collection of the room, outside of all code that could catch it.
 *
 * Result with 17: "handle not found", then "trying to drop an invalid handle"; with 10, neither.
 * workers/runtime/dropped-handles.ts keeps the process alive.
 */
import { Room } from '@livekit/rtc-node';
import { roomToken } from '../../src/rooms/room-token.ts';
import { startMediaEngine } from '../../workers/runtime/media-engine.ts';
import { startMediaServer } from '../support/processes/media-server.ts';

const seconds = Number(process.argv[2] ?? 17);

process.on('uncaughtException', (error) => console.log('uncaught:', error.message));
const server = await startMediaServer();
startMediaEngine();
await join();
for (let i = 0; i < 5; i++) {
  globalThis.gc!();
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await server.stop();
process.exit();

async function join(): Promise<void> {
  const token = await roomToken(server, 'room', { identity: 'face', ttl: '1h' });
  const connecting = new Room().connect(server.url, token, {
    autoSubscribe: false,
    dynacast: false,
  });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000 * seconds);
  await connecting.then(
    () => console.log('connected'),
    (error: Error) => console.log('not connected:', error.message),
  );
}
