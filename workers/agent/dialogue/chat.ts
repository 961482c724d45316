import { llm } from '@livekit/agents';

/** Text of the user's last message; empty if there is none. */
export const lastQuestion = (context: llm.ChatContext): string =>
  lastOfUser(context)?.textContent ?? '';

export function lastOfUser(context: llm.ChatContext): llm.ChatMessage | undefined {
  const message = context.items.findLast((item) => item.type === 'message' && item.role === 'user');
  return message?.type === 'message' ? message : undefined;
}
