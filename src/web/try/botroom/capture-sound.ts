import { AUDIO_RATE } from '#protocol/audio.ts';
import processorUrl from './capture-processor.ts?worker&url';

type Capture = { sampleRate: number; stop: () => void };

/** Passes a track's sound as mono PCM, until `stop` is called. */
export async function captureSound(
  track: MediaStreamTrack,
  onPcm: (pcm: Uint8Array, sampleRate: number) => void,
): Promise<Capture> {
  const context = await openContext();
  const { sampleRate } = context;
  await context.audioWorklet.addModule(processorUrl);
  const options = { numberOfOutputs: 0, channelCount: 1, channelCountMode: 'explicit' } as const;
  const processor = new AudioWorkletNode(context, 'capture', options);
  processor.port.addEventListener('message', ({ data }: MessageEvent<Int16Array>) =>
    onPcm(new Uint8Array(data.buffer), sampleRate),
  );
  processor.port.start();
  context.createMediaStreamSource(new MediaStream([track])).connect(processor);
  const stop = () => {
    processor.port.close();
    void context.close();
  };
  return { sampleRate, stop };
}

/** Firefox takes tracks at the sample rate of the sound card only, botrooms up to AUDIO_RATE. */
async function openContext(): Promise<AudioContext> {
  const context = new AudioContext();
  if (context.sampleRate <= AUDIO_RATE) return context;
  await context.close();
  return new AudioContext({ sampleRate: AUDIO_RATE });
}
