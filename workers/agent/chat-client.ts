/*
 * Client for the chat completions of an agent's model. What its streams contain is spoken, so
 * reasoning is removed, and an answer without text is an error, which the framework tries once more
 * before the agent apologises.
 */
import type OpenAI from 'openai';
import type { CallBrief } from '#protocol/call-brief.ts';
import { ReasoningFilter } from '#shared/reasoning-filter.ts';
import { estimateTokens, tokenCounter } from '#shared/token-estimate.ts';
import type { CallBudget } from './call-budget.ts';
import { endpointClient } from './endpoint-client.ts';
import { createWithoutRefusedPictures } from './sight/picture-refusal.ts';
import { asEventStream } from './whole-answer.ts';

type Chunk = OpenAI.ChatCompletionChunk;
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta;

/** The most of reasoning and answer together. A model that writes more is stopped. */
const MAX_CHARACTERS = 60_000;

/** Providers count some hundred to about a thousand for a picture of this size. */
const TOKENS_PER_PICTURE = 1_000;
const PICTURES = /"data:image\/jpeg;base64,[^"]*"/g;

/** `budget` counts requests, also those of retries, and answers with their reasoning. */
export function chatClient(
  endpoint: NonNullable<CallBrief['llm']>,
  budget: Pick<CallBudget, 'add'>,
  onPictureRefused: (status: number) => void = () => {},
): OpenAI {
  const spend = (modelTokens: number) => budget.add({ modelTokens });
  const client = endpointClient(endpoint, {
    onRequest: (request) => spend(tokensOf(request)),
    readAnswer: asEventStream,
  });
  const { completions } = client.chat;
  const create = completions.create.bind(completions);
  // Some templates begin the reasoning themselves. The first answer shows it.
  let startsInside = false;
  const createStream = async (
    body: OpenAI.ChatCompletionCreateParamsStreaming,
    options?: OpenAI.RequestOptions,
  ): Promise<AsyncIterable<Chunk>> => {
    const filter = new ReasoningFilter(startsInside);
    const answer = await createWithoutRefusedPictures(
      body,
      (request) => create(request, options),
      onPictureRefused,
    );
    const chunks = countedChunks(answer, spend);
    return spokenChunks(chunks, filter, () => (startsInside ||= filter.endsBare));
  };
  // Streams are all that the framework and the summary ask for.
  completions.create = createStream as unknown as typeof completions.create;
  return client;
}

function tokensOf(request: string): number {
  const pictures = request.match(PICTURES)?.length ?? 0;
  return estimateTokens(request.replace(PICTURES, '')) + pictures * TOKENS_PER_PICTURE;
}

async function* countedChunks(
  chunks: AsyncIterable<Chunk>,
  spend: (tokens: number) => void,
): AsyncGenerator<Chunk> {
  const count = tokenCounter();
  let leftCharacters = MAX_CHARACTERS;
  for await (const chunk of chunks) {
    const [choice] = chunk.choices ?? [];
    const text = writtenIn(choice?.delta);
    if (text !== '') spend(count(text));
    if (text.length >= leftCharacters) {
      const content = textOf(choice!.delta).slice(0, leftCharacters);
      yield { ...chunk, choices: [{ ...choice!, delta: { content } }] };
      return;
    }
    leftCharacters -= text.length;
    yield chunk;
  }
}

/** Fields that the model does not write. */
const FRAME = new Set(['role', 'type', 'id', 'index']);

/** Servers send reasoning in fields of several names, and some of them in parts. */
function writtenIn(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return '';
  const parts = Object.entries(part).filter(([name]) => !FRAME.has(name));
  return parts.map(([, value]) => writtenIn(value)).join('');
}

/** A letter or digit of any language. */
const READABLE = /[\p{L}\p{N}]/u;

async function* spokenChunks(
  chunks: AsyncIterable<Chunk>,
  filter: ReasoningFilter,
  onEnd: () => void,
): AsyncGenerator<Chunk> {
  /** Nothing of it can be spoken. Null: the answer has text. */
  let prelude: string | null = '';
  const spokenPart = (text: string): string => {
    if (prelude === null) return text;
    const spokenText = prelude + text;
    prelude = spokenText;
    if (!READABLE.test(text)) return '';
    prelude = null;
    return spokenText;
  };
  let lastChunk: Chunk | null = null;
  for await (const chunk of chunks) {
    lastChunk = chunk;
    const [choice] = chunk.choices ?? [];
    if (!choice?.delta) {
      yield { ...chunk, choices: [] };
      continue;
    }
    const text = filter.push(textOf(choice.delta)) + (choice.finish_reason ? filter.end() : '');
    yield withText({ ...chunk, choices: [choice] }, spokenPart(text));
  }
  const tail = spokenPart(filter.end());
  onEnd();
  if (prelude !== null || !lastChunk) throw new Error('the model answered without text');
  if (tail !== '') yield withText(lastChunk, tail);
}

const withText = (chunk: Chunk, content: string): Chunk => {
  const [choice] = chunk.choices;
  const delta: Delta = { ...choice?.delta, content };
  return { ...chunk, choices: [{ finish_reason: null, index: 0, ...choice, delta }] };
};

/** Some servers send parts instead of text, among them reasoning. */
function textOf({ content, refusal }: Delta): string {
  const parts: unknown = content ?? refusal ?? '';
  if (typeof parts === 'string') return parts;
  return Array.isArray(parts) ? parts.map(textOfPart).join('') : '';
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  const isReasoning = typeof type === 'string' && /think|thought|reason/i.test(type);
  return typeof text === 'string' && !isReasoning ? text : '';
}
