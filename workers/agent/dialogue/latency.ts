import type { TurnLatency } from '#protocol/call-brief.ts';
import type { Asked, Utterance } from '../speech/utterance.ts';

/** How long each step of an answer took; what was begun before the question was over took no time. */
export function latencyOf(
  { firstTextAt, firstSoundAt, startedAt }: Utterance,
  { at, transcriptMs }: Asked,
): TurnLatency {
  const since = (time: number | null) => (time === null ? null : Math.max(0, time - at));
  return {
    transcriptMs: transcriptMs === null ? null : Math.max(0, transcriptMs),
    firstTokenMs: since(firstTextAt),
    firstAudioMs: since(firstSoundAt),
    firstFrameMs: since(startedAt),
  };
}
