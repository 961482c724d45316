/*
 * Floor: the minimum cost of a publisher in a room with rtc-node. It publishes pre-drawn avatar
 * pictures and forwards the agent's speech unchanged to its track. It draws and converts
 * nothing, has no sessions, and uses the avatar's engine settings.
 */
import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  LocalVideoTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoCodec,
  VideoFrame,
  VideoSource,
} from '@livekit/rtc-node';
import { VideoEncoding } from '@livekit/rtc-ffi-bindings';
import { openBundle } from '../../../workers/bundle/open-bundle.ts';
import { BuiltInPerformer } from '../../../workers/avatar/performer/built-in-performer.ts';
import { startMediaEngine } from '../../../workers/runtime/media-engine.ts';
import { answer } from '../rpc.ts';
import { babble } from './speech.ts';

startMediaEngine();

const SIZE = 512;
const FPS = 25;
/** The probe's rate: its sound is played unchanged. */
const AUDIO_RATE = 24_000;
const BITRATE = 800_000;

let pictures: Uint8Array[] = [];
const published = new Map<string, () => Promise<void>>();

/** Four seconds of the speaking avatar, played forward and backward. */
async function prepare({ bundle }: { bundle: string }): Promise<number> {
  const opened = await openBundle(bundle);
  const performer = new BuiltInPerformer(opened, { seed: 'floor', scene: PLAIN_FRAME });
  performer.hear(babble(16_000, 4000), 0);
  pictures = Array.from({ length: 4 * FPS }, (_, i) => {
    const frame = new Uint8Array((SIZE * SIZE * 3) / 2);
    performer.draw((i * 1000) / FPS, frame);
    return frame;
  });
  performer.close();
  opened.close();
  return (pictures.length * pictures[0]!.length) / 2 ** 20;
}

/** The media server gives the new participant the place of an earlier one with the same token. */
async function publish({ url, token }: { url: string; token: string }): Promise<void> {
  const leaveEarlier = published.get(token);
  const room = new Room();
  const video = new VideoSource(SIZE, SIZE);
  const audio = new AudioSource(AUDIO_RATE, 1, 600_000);
  await room.connect(url, token, { autoSubscribe: false, dynacast: false });
  const local = room.localParticipant!;
  local.registerRpcMethod('lk.clear_buffer', async () => {
    audio.clearQueue();
    return 'ok';
  });
  let isOver = false;
  room.registerByteStreamHandler('lk.audio_stream', async (reader) => {
    for await (const chunk of reader) {
      if (isOver) return;
      const samples = new Int16Array(chunk.slice().buffer);
      await audio.captureFrame(new AudioFrame(samples, AUDIO_RATE, 1, samples.length));
    }
  });

  let shownCount = 0;
  const show = () => {
    const index = shownCount++ % (2 * pictures.length);
    const picture = pictures[index < pictures.length ? index : 2 * pictures.length - 1 - index]!;
    video.captureFrame(new VideoFrame(picture, SIZE, SIZE, VideoBufferType.I420));
  };
  const startedAt = performance.now();
  let timer: NodeJS.Timeout;
  const tick = () => {
    show();
    timer = setTimeout(
      tick,
      Math.max(0, startedAt + shownCount * (1000 / FPS) - performance.now()),
    );
  };
  tick();
  const silence = setInterval(() => {
    if (audio.queuedDuration > 40) return;
    const samples = new Int16Array(AUDIO_RATE / 50);
    void audio.captureFrame(new AudioFrame(samples, AUDIO_RATE, 1, samples.length));
  }, 20);

  const stop = () => {
    isOver = true;
    clearTimeout(timer);
    clearInterval(silence);
  };
  room.on(RoomEvent.Disconnected, stop);

  const videoTrack = LocalVideoTrack.createVideoTrack('avatar_video', video);
  const audioTrack = LocalAudioTrack.createAudioTrack('avatar_audio', audio);
  await local.publishTrack(
    videoTrack,
    new TrackPublishOptions({
      source: TrackSource.SOURCE_CAMERA,
      simulcast: false,
      videoCodec: VideoCodec.VP8,
      videoEncoding: new VideoEncoding({ maxBitrate: BigInt(BITRATE), maxFramerate: FPS }),
    }),
  );
  await local.publishTrack(
    audioTrack,
    new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
  );
  published.set(token, async () => {
    await leaveEarlier?.();
    stop();
    // Queued sound must not be played into a closed source.
    audio.clearQueue();
    await room.disconnect();
    await videoTrack.close();
    await audioTrack.close();
  });
}

async function leave({ token }: { token: string }): Promise<void> {
  await published.get(token)?.();
  published.delete(token);
}

answer({ prepare, publish, leave });
