import type { Line } from './room-state.ts';
import { SEGMENT_ID, TRANSCRIPTION_FINAL } from '#protocol/room-terms.ts';

/** As livekit-client's TextStreamReader. */
export type Transcription = AsyncIterable<string> & {
  info: { id: string; attributes?: Record<string, string> };
};

/**
 * Tells a line each time that more of it is known. What the agent says comes piece by piece in one stream; what the user says comes in
 * several, each the whole of it as understood so far.
 */
export async function readTranscription(
  stream: Transcription,
  sender: Line['sender'],
  tell: (line: Line) => void,
): Promise<void> {
  const { id: streamId, attributes = {} } = stream.info;
  const id = attributes[SEGMENT_ID] ?? streamId;
  const isFinal = sender === 'ai' || attributes[TRANSCRIPTION_FINAL] === 'true';
  let text = '';
  const say = (isFinal: boolean) => text.trim() && tell({ id, sender, text, isFinal });
  try {
    for await (const piece of stream) {
      text += piece;
      say(false);
    }
  } finally {
    // One whose sender was lost has come to its end as well.
    say(isFinal);
  }
}
