import { TransformStream } from 'node:stream/web';
import { llm } from '@livekit/agents';
import type { Clock } from '#shared/clock.ts';
import { textOfPart, type AnswerPart } from './answer-part.ts';

/** A longer silence makes people ask whether they were heard. */
export const PATIENCE_MS = 2_000;

export type Waiting = {
  /** Said when the answer takes long. */
  phrase: string;
  patienceMs: number;
  clock: Pick<Clock, 'elapsed' | 'after'>;
};

/** The phrase as a part of an answer: a paragraph, which is spoken before anything follows. */
export const waitingPart = ({ phrase }: Pick<Waiting, 'phrase'>): string => `${phrase}\n\n`;

/** Passes an answer on, after the phrase if the first text comes late. */
export function slowAnswer(
  waiting: Waiting,
  /** By the clock's `elapsed`. */
  askedAt: number,
): TransformStream<AnswerPart, AnswerPart> {
  const { patienceMs, clock } = waiting;
  let cancel: (() => void) | null = null;
  return new TransformStream({
    start(controller) {
      cancel = clock.after(askedAt + patienceMs - clock.elapsed(), () =>
        controller.enqueue(waitingPart(waiting)),
      );
    },
    transform(part, controller) {
      if (textOfPart(part) !== '') cancel?.();
      controller.enqueue(part);
    },
    flush: () => cancel?.(),
    cancel: () => cancel?.(),
  });
}

/** The conversation without the phrase, which models would imitate. */
export function withoutPhrase(
  context: llm.ChatContext,
  { phrase }: Pick<Waiting, 'phrase'>,
): llm.ChatContext {
  const cleaned = context.copy();
  cleaned.items = context.items.flatMap((item) => {
    if (item.type !== 'message' || item.role !== 'assistant') return [item];
    const text = item.textContent ?? '';
    if (!text.startsWith(phrase)) return [item];
    const content = text.slice(phrase.length).trimStart();
    const { id, role, createdAt } = item;
    return content === '' ? [] : [llm.ChatMessage.create({ id, role, content, createdAt })];
  });
  return cleaned;
}
