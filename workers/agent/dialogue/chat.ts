import { llm } from '@livekit/agents';

/** What the user said last; empty when there is nothing yet. */
export const lastQuestion = (context: llm.ChatContext): string =>
  lastOfUser(context)?.textContent ?? '';

export function lastOfUser(context: llm.ChatContext): llm.ChatMessage | undefined {
  const message = context.items.findLast((item) => item.type === 'message' && item.role === 'user');
  return message?.type === 'message' ? message : undefined;
}
