/* Readers of texts from outside, for the thread that measures them. */
import { recognize } from '#protocol/pictures/picture-kinds.ts';
import { toSentences } from '#protocol/voice/speakable.ts';
import { ReasoningFilter, withoutReasoning } from '#shared/reasoning-filter.ts';
import { joinBrokenWords } from '../../src/knowledge/pdf-text/broken-words.ts';
import { understand } from '../../workers/agent/dialogue/responder/conversation.ts';
import { replyTo } from '../../workers/agent/dialogue/responder/reply.ts';
import { SpokenText } from '../../workers/agent/speech/markup/spoken-text.ts';

export const picture = (text: string) => recognize(Buffer.from(text, 'latin1'));

export const wholeAnswer = (text: string) => withoutReasoning(text);

/** Reasoning within reasoning, and ends of another name. */
export const nestedAnswer = (text: string) =>
  withoutReasoning('<cot>'.repeat(text.length / 8) + text);

export function streamedAnswer(text: string): void {
  const filter = new ReasoningFilter();
  for (const sign of text) filter.push(sign);
  filter.end();
}

/** One delta, which is one line. */
export function spokenLine(text: string): void {
  const reader = new SpokenText();
  reader.push(text);
  reader.end();
}

export const voicedText = (text: string) => toSentences(text);

export const pdfText = (text: string) => joinBrokenWords(text);

/** By an agent without a language model. */
export const answeredQuestion = (text: string) => answer(text, 'The shop opens at nine.');

export const quotedFile = (text: string) => answer('When do you open, and is parking free?', text);

function answer(question: string, text: string): void {
  const lines = [{ sender: 'user' as const, text: question }];
  const now = new Date(0);
  const asked = { lines, agentName: 'Mira', language: 'en', hasKnowledge: true, now };
  replyTo(understand(asked), [{ name: 'file.txt', text }]);
}
