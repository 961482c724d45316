import { createRequire } from 'node:module';
import path from 'node:path';
import { FfiEvent, livekitInitialize, type FfiRequest } from '@livekit/rtc-ffi-bindings';
import { AudioSource } from '@livekit/rtc-node';
import { AUDIO_RATE } from '#protocol/audio.ts';

type Request = { message?: Pick<FfiRequest, 'message'>['message'] };
type Sdk = NodeJS.EventEmitter & { request(request: Request): unknown };

/** Frames of 10 ms that wait while the process has no CPU. rtc-node would keep only 10. */
const WAITING_FRAMES = 100;

/**
 * Loads rtc-node's engine and turns off its log events. rtc-node 0.13.35 forwards every engine log
 * line to JavaScript, thousands per second, where each is decoded and discarded: half the cost of
 * joining a room. A second initialization forwards only real events; the engine then logs to
 * standard error by RUST_LOG, which is off by default because its errors quote whole tokens.
 */
export function startMediaEngine(): void {
  process.env['RUST_LOG'] ??= 'off';
  // The first SDK object loads the engine.
  void new AudioSource(AUDIO_RATE, 1).close();
  // oxlint-disable-next-line no-underscore-dangle -- the SDK's own name for it
  const sdk = (globalThis as { _ffiClientInstance?: Sdk })._ffiClientInstance;
  const emit = (event: Uint8Array) => sdk?.emit('ffi_event', FfiEvent.fromBinary(event));
  livekitInitialize(emit, false, sdkVersion());
  if (sdk && !Object.hasOwn(sdk, 'request')) keepWaitingSound(sdk);
}

/** The SDK has no option for it. */
function keepWaitingSound(sdk: Sdk): void {
  const request = sdk.request.bind(sdk);
  sdk.request = (each) => {
    if (each.message?.case === 'newAudioStream') {
      each.message.value.queueSizeFrames = WAITING_FRAMES;
    }
    return request(each);
  };
}

/** The engine reports it to media servers. */
function sdkVersion(): string {
  const require = createRequire(import.meta.url);
  const facts = path.join(path.dirname(require.resolve('@livekit/rtc-node')), '../package.json');
  return (require(facts) as { version: string }).version;
}
