import type { Line } from '../state/call-state.ts';
import { SEGMENT_ID, TRANSCRIPTION_FINAL } from '#protocol/room-terms.ts';

/** The used part of livekit-client's TextStreamReader. */
export type Transcription = AsyncIterable<string> & {
  info: { id: string; attributes?: Record<string, string> };
};

/**
 * Reports a line each time it grows. An agent's line arrives piece by piece in one stream; a user's
 * line arrives in several streams, each with the full text recognised so far.
 */
export async function readTranscription(
  stream: Transcription,
  sender: Line['sender'],
  onLine: (line: Line) => void,
): Promise<void> {
  const { id: streamId, attributes = {} } = stream.info;
  const id = attributes[SEGMENT_ID] ?? streamId;
  const isFinal = sender === 'ai' || attributes[TRANSCRIPTION_FINAL] === 'true';
  let text = '';
  const report = (isFinal: boolean) => text.trim() && onLine({ id, sender, text, isFinal });
  try {
    for await (const piece of stream) {
      text += piece;
      report(false);
    }
  } finally {
    // Also when the sender was lost.
    report(isFinal);
  }
}
