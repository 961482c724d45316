/* Transcripts as text: to find, to list and to save. Pure. */
import type { Call, CallMessages } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

/** The visitor's first line, or else the agent's. */
export const firstLineOf = (messages: CallMessages): string | undefined =>
  (messages.find(({ sender }) => sender === 'user') ?? messages[0])?.message;

/** Whether the visitor's name or comment, the topic or the transcript holds the words. */
export function hasWords(call: Call, messages: CallMessages | undefined, words: string): boolean {
  const { user_name, user_email, evaluation, rating_comment } = call;
  const lines = (messages ?? []).map(({ message }) => message);
  return [user_name, user_email, evaluation?.topic, rating_comment, ...lines].some((text) =>
    text?.toLowerCase().includes(words.trim().toLowerCase()),
  );
}

/** Where a file of the call begins its name. */
export const fileNameOf = ({ id, started_at }: Call): string =>
  `conversation-${started_at.slice(0, 10)}-${id.slice(0, 8)}`;

/** For people: who said what, and when. */
export function asText(call: Call, messages: CallMessages, agentName: string): string {
  const t = texts.conversations;
  const visitor = call.user_name ?? t.visitor;
  const { topic } = call.evaluation ?? {};
  const { rating, rating_comment: comment } = call;
  const head = [
    `${agentName}, ${visitor}`,
    `${call.started_at} – ${call.ended_at ?? ''}`.trim(),
    ...(topic ? [topic] : []),
    ...(rating ? [`${t.rating}: ${t.ratings[rating]}`] : []),
    ...(comment ? [`${t.comment}: ${comment}`] : []),
  ];
  const lines = messages.map(
    ({ sent_at, sender, message }) =>
      `[${sent_at}] ${sender === 'ai' ? agentName : visitor}: ${message}`,
  );
  return `${[...head, '', ...lines].join('\n')}\n`;
}
