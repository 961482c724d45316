import type { TurnLatency } from '#protocol/call-brief.ts';
import type { QuestionTiming, Utterance } from '../speech/utterance.ts';

/**
 * Duration of each step of an answer. Steps that started before the end of the question count as
 * zero.
 */
export function latencyOf(
  { firstTextAt, firstSoundAt, startedAt }: Utterance,
  { at, transcriptMs }: QuestionTiming,
): TurnLatency {
  const since = (time: number | null) => (time === null ? null : Math.max(0, time - at));
  return {
    transcriptMs: transcriptMs === null ? null : Math.max(0, transcriptMs),
    firstTokenMs: since(firstTextAt),
    firstAudioMs: since(firstSoundAt),
    firstFrameMs: since(startedAt),
  };
}
