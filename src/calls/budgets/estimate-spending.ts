import { estimateTokens } from '#shared/token-estimate.ts';
import type { CallMessage } from '../../records/calls/call-messages.ts';
import type { Spent } from '../../records/calls/spending.ts';

/** The most that agent workers send to a model. */
const TOKENS_A_QUESTION = 8_000;

/**
 * Estimates the cost of a call by its messages, for a worker that reported none. Each question sent
 * the conversation up to it. `prompt` null: the agent has no model.
 */
export function estimateSpending(
  prompt: string | null,
  messages: readonly CallMessage[],
): Omit<Spent, 'seconds'> {
  const spent = { modelTokens: 0, speechCharacters: 0, texts: 0 };
  let conversationTokens = estimateTokens(prompt ?? '');
  for (const { sender, message } of messages) {
    const messageTokens = estimateTokens(message);
    conversationTokens += messageTokens;
    if (sender === 'ai') {
      spent.speechCharacters += message.length;
      spent.modelTokens += prompt === null ? 0 : messageTokens;
    } else {
      spent.texts += 1;
      spent.modelTokens += prompt === null ? 0 : Math.min(conversationTokens, TOKENS_A_QUESTION);
    }
  }
  return spent;
}
