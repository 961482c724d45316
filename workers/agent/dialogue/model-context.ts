/*
 * The context that a model gets with a question. Each question sends it again, so it is bounded,
 * however long the call: rules, a summary of the older turns, the newest turns, and the question
 * with its passages. Passages of earlier questions are not repeated.
 *
 * The summary is made in the background before turns must be left out. Without a summary they
 * are also left out, the oldest first.
 */
import { llm } from '@livekit/agents';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { estimateTokens, textWithin } from '#shared/token-estimate.ts';
import type { Passages } from '#protocol/call-brief.ts';
import { lastOfUser } from './chat.ts';
import { newFenceId, withPassages, withinFence } from './model.ts';

/** The most that one question sends. */
export const MAX_CONTEXT_TOKENS = 8_000;
/** For turns and passages even if the owner's prompt and the question leave less. */
const MIN_HISTORY_TOKENS = 2_000;
/** The most of one turn. The longest typed text fits in any script; longer turns are cut. */
const MAX_TURN_TOKENS = 6_000;
/** Role and separators of a message. */
const TURN_OVERHEAD = 4;
/** Turns are summarised when they take up this share of their room; the newest third stays. */
const SUMMARISE_FROM = 0.75;
const KEPT_SHARE = 1 / 3;
/** The most that one summary covers, and its length. */
const SUMMARISED_TOKENS = 6_000;
const SUMMARY_TOKENS = 500;
/** After a failure, so that a failing model does not get two requests for each question. */
const COOLDOWN_MS = 60_000;

type Summary = { text: string; lastTurnId: string };

type ModelContextParts = {
  /** Summarises a transcript; by the model of the agent. */
  summarise: (transcript: string) => Promise<string>;
  clock: Pick<Clock, 'elapsed'>;
  log: Log;
};

export class ModelContext {
  readonly #parts: ModelContextParts;
  #summary: Summary | null = null;
  #isSummarising = false;
  #cooldownUntil = -Infinity;

  constructor(parts: ModelContextParts) {
    this.#parts = parts;
  }

  /** The part of the whole conversation to send for its last question. */
  fit(conversation: llm.ChatContext, passages: Passages['passages']): llm.ChatContext {
    const { rules, turns } = partsOf(conversation);
    const question = lastOfUser(conversation);
    const earlierTurns = this.#unsummarised(turns).filter((turn) => turn.id !== question?.id);
    const fixed = [...rules, ...this.#summaryTurn(), ...(question ? [question] : [])];
    const room = Math.max(MAX_CONTEXT_TOKENS - tokensOf(fixed), MIN_HISTORY_TOKENS);
    this.#summariseIfLong(earlierTurns, room);
    const usedPassages = passagesWithin(passages, room / 2);
    const turnRoom = room - estimateTokens(JSON.stringify(usedPassages));
    const sentTurns = newestWithin(earlierTurns, turnRoom);
    const ids = new Set([...sentTurns, ...(question ? [question] : [])].map(({ id }) => id));
    const context = new llm.ChatContext([
      ...rules,
      ...this.#summaryTurn(),
      ...turns.filter(({ id }) => ids.has(id)).map(shortened),
    ]);
    return withPassages(context, usedPassages);
  }

  #unsummarised(turns: llm.ChatMessage[]): llm.ChatMessage[] {
    const lastAt = turns.findLastIndex(({ id }) => id === this.#summary?.lastTurnId);
    return turns.slice(lastAt + 1);
  }

  #summaryTurn(): llm.ChatMessage[] {
    if (!this.#summary) return [];
    const content = withinFence('summary', newFenceId(), this.#summary.text);
    return [llm.ChatMessage.create({ role: 'user', content })];
  }

  #summariseIfLong(turns: llm.ChatMessage[], room: number): void {
    const { clock } = this.#parts;
    if (this.#isSummarising || clock.elapsed() < this.#cooldownUntil) return;
    if (tokensOf(turns) < room * SUMMARISE_FROM) return;
    const newest = newestWithin(turns, room * KEPT_SHARE);
    const oldTurns = turns.slice(0, turns.length - newest.length);
    const lastTurn = oldTurns.at(-1);
    if (lastTurn) void this.#summarise(oldTurns, lastTurn.id);
  }

  async #summarise(turns: llm.ChatMessage[], lastTurnId: string): Promise<void> {
    const { summarise, clock, log } = this.#parts;
    this.#isSummarising = true;
    try {
      const text = (await summarise(transcriptOf(this.#summary, turns))).trim();
      if (text === '') throw new Error('the summary is empty');
      this.#summary = { text: textWithin(text, SUMMARY_TOKENS), lastTurnId };
    } catch (err) {
      this.#cooldownUntil = clock.elapsed() + COOLDOWN_MS;
      log.warn({ err }, 'conversation not summarised: its oldest turns are left out');
    } finally {
      this.#isSummarising = false;
    }
  }
}

function partsOf({ items }: llm.ChatContext) {
  const messages = items.filter((item) => item.type === 'message');
  return {
    rules: messages.filter(isRule),
    turns: messages.filter((message) => !isRule(message)),
  };
}

const isRule = ({ role }: llm.ChatMessage): boolean => role === 'system' || role === 'developer';

/** The newest turns without a gap. */
function newestWithin(turns: llm.ChatMessage[], maxTokens: number): llm.ChatMessage[] {
  let tokens = 0;
  const firstAt = turns.findLastIndex((turn) => (tokens += tokensOf([turn])) > maxTokens) + 1;
  return turns.slice(firstAt);
}

function passagesWithin(passages: Passages['passages'], maxTokens: number): Passages['passages'] {
  let tokens = 0;
  const tooMany = passages.findIndex(
    (passage) => (tokens += estimateTokens(JSON.stringify(passage))) > maxTokens,
  );
  return tooMany < 0 ? passages : passages.slice(0, tooMany);
}

const tokensOf = (turns: llm.ChatMessage[]): number =>
  turns.reduce(
    (sum, turn) => sum + TURN_OVERHEAD + estimateTokens(shortened(turn).textContent ?? ''),
    0,
  );

/** Rules stay whole: they are the owner's. */
function shortened(turn: llm.ChatMessage): llm.ChatMessage {
  const text = turn.textContent ?? '';
  const shortText = turn.role === 'system' ? text : textWithin(text, MAX_TURN_TOKENS);
  if (shortText.length === text.length) return turn;
  const { id, role, createdAt } = turn;
  return llm.ChatMessage.create({ id, role, createdAt, content: shortText });
}

/** JSON lines, so that no text of a user can look like another one's. */
function transcriptOf(summary: Summary | null, turns: llm.ChatMessage[]): string {
  const lines = newestWithin(turns, SUMMARISED_TOKENS).map((turn) =>
    JSON.stringify({ sender: turn.role, message: shortened(turn).textContent ?? '' }),
  );
  const earlier = summary ? [JSON.stringify({ summary_of_earlier_turns: summary.text })] : [];
  return textWithin([...earlier, ...lines].join('\n'), SUMMARISED_TOKENS);
}
