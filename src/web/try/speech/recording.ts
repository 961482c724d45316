import { VOICE_RATE } from '#protocol/voice/flite.ts';

/** The samples of a recording, at VOICE_RATE. */
export async function samplesAt(path: string): Promise<Int16Array> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`recording: HTTP ${response.status}`);
  // Decoding resamples to the rate of the context.
  const context = new OfflineAudioContext(1, 1, VOICE_RATE);
  const sound = await context.decodeAudioData(await response.arrayBuffer());
  return Int16Array.from(sound.getChannelData(0), (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))),
  );
}
