import { createRequire } from 'node:module';
import path from 'node:path';
import { FfiEvent, livekitInitialize } from '@livekit/rtc-ffi-bindings';
import { AudioSource } from '@livekit/rtc-node';
import { AUDIO_RATE } from '#protocol/audio.ts';

/**
 * rtc-node 0.13.35 has its engine hand over each line of its log, down to the single packet: thousands a second, each of which is decoded and
 * shown to every room, and thrown away. They are half of what joining a room costs. Once more initialised, the engine hands over nothing but
 * what happens, and writes what RUST_LOG says to standard error: nothing, if it is not set, as its errors quote whole tokens. Loads the engine.
 */
export function quietEngine(): void {
  process.env['RUST_LOG'] ??= 'off';
  // Whatever the SDK makes first loads its engine.
  void new AudioSource(AUDIO_RATE, 1).close();
  // oxlint-disable-next-line no-underscore-dangle -- the SDK's own name for it
  const sdk = (globalThis as { _ffiClientInstance?: NodeJS.EventEmitter })._ffiClientInstance;
  const tell = (event: Uint8Array) => sdk?.emit('ffi_event', FfiEvent.fromBinary(event));
  livekitInitialize(tell, false, sdkVersion());
}

/** As the SDK gives it to the engine, which tells media servers. */
function sdkVersion(): string {
  const require = createRequire(import.meta.url);
  const facts = path.join(path.dirname(require.resolve('@livekit/rtc-node')), '../package.json');
  return (require(facts) as { version: string }).version;
}
