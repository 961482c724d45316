import { AUDIO_RATE } from '#protocol/audio.ts';
import processorUrl from './capture-processor.ts?worker&url';

/** Passes a track's sound as mono PCM at AUDIO_RATE, until the returned function is called. */
export async function captureSound(
  track: MediaStreamTrack,
  onPcm: (pcm: Uint8Array) => void,
): Promise<() => void> {
  const context = new AudioContext({ sampleRate: AUDIO_RATE });
  await context.audioWorklet.addModule(processorUrl);
  const options = { numberOfOutputs: 0, channelCount: 1, channelCountMode: 'explicit' } as const;
  const processor = new AudioWorkletNode(context, 'capture', options);
  processor.port.addEventListener('message', ({ data }: MessageEvent<Int16Array>) =>
    onPcm(new Uint8Array(data.buffer)),
  );
  processor.port.start();
  context.createMediaStreamSource(new MediaStream([track])).connect(processor);
  return () => {
    processor.port.close();
    void context.close();
  };
}
