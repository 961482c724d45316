import type { llm } from '@livekit/agents';

/** A part of a streamed answer. */
export type AnswerPart = llm.ChatChunk | string;

export const textOfPart = (part: AnswerPart): string =>
  typeof part === 'string' ? part : (part.delta?.content ?? '');
