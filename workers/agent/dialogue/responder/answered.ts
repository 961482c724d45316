import type { Passages } from '#protocol/call-brief.ts';
import { overviewText, searchTextOf, understand, type Conversation } from './conversation.ts';
import type { Source } from './facts.ts';
import { replyTo } from './reply.ts';

type Sources = {
  prompt: string | null;
  /** Searches the agent's files. */
  passages: (text: string) => Promise<Passages['passages']>;
};

/** Searches once, and a second time to offer what the agent knows instead of an answer. */
export async function answered(
  conversation: Conversation,
  { prompt, passages }: Sources,
): Promise<string> {
  const understood = understand(conversation);
  const ofPrompt: Source[] = prompt === null ? [] : [{ name: null, text: prompt }];
  const find = async (text: string): Promise<Source[]> =>
    (await passages(text)).map(({ source, text }) => ({ name: source, text }));
  const searchText = conversation.hasKnowledge ? searchTextOf(understood) : null;
  if (searchText === null) return replyTo(understood, ofPrompt).text;
  const found = await find(searchText);
  const reply = replyTo(understood, [...found, ...ofPrompt]);
  if (reply.isAnswered) return reply.text;
  const more = await find(overviewText(understood.lexicon));
  return replyTo(understood, [...found, ...more, ...ofPrompt]).text;
}
