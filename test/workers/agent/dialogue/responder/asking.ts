/* Asks the responder as a call does, with the passages that the control plane finds. */
import { passagesOf } from '../../../../../src/knowledge/chunks.ts';
import { WordIndex } from '../../../../../src/knowledge/word-index.ts';
import { answered } from '../../../../../workers/agent/dialogue/responder/answered.ts';
import type { Line } from '../../../../../workers/agent/dialogue/responder/conversation.ts';

/** As many as the control plane answers with. */
const MAX_PASSAGES = 5;

export type Library = { name: string; text: string };

export type Agent = {
  files?: readonly Library[];
  prompt?: string | null;
  language?: string;
  agentName?: string;
  now?: Date;
};

/** Finds passages by words, and counts the searches. */
export function passagesIn(files: readonly Library[]) {
  const index = new WordIndex();
  for (const { name, text } of files)
    for (const passage of passagesOf(name, text)) index.add(passage);
  const searches: string[] = [];
  const find = async (question: string) => {
    searches.push(question);
    return index.find(question, MAX_PASSAGES).map((at) => index.passage(at));
  };
  return { find, searches };
}

/** What the agent says to each line of the user. */
export async function repliesOf(agent: Agent, said: readonly string[]): Promise<string[]> {
  const { files = [], prompt = null, language = 'en', agentName = 'Nora' } = agent;
  const { now = new Date(2026, 10, 30, 20, 7) } = agent;
  const passages = passagesIn(files);
  const lines: Line[] = [];
  const replies: string[] = [];
  for (const text of said) {
    lines.push({ sender: 'user', text });
    const reply = await answered(
      { lines, agentName, language, hasKnowledge: files.length > 0, now },
      { prompt, passages: passages.find },
    );
    lines.push({ sender: 'agent', text: reply });
    replies.push(reply);
  }
  return replies;
}
