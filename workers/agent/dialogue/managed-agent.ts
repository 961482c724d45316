import { ReadableStream } from 'node:stream/web';
import { voice, type llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Passages } from '#protocol/call-brief.ts';
import { lastQuestion } from './chat.ts';
import { withPassages } from './model.ts';

type ManagedAgentParts = {
  instructions: string;
  history: llm.ChatContext;
  /** Finds passages for a question; null: no files, or the model retrieves them itself. */
  passages: ((question: string) => Promise<Passages['passages']>) | null;
  /** Speaks streamed text. */
  speak: (text: AsyncIterable<string>, signal: AbortSignal) => AsyncGenerator<AudioFrame>;
};

/** The framework's agent, with retrieval before the model and our voices after it. */
export class ManagedAgent extends voice.Agent {
  readonly #parts: ManagedAgentParts;

  constructor(parts: ManagedAgentParts) {
    super({ instructions: parts.instructions, chatCtx: parts.history });
    this.#parts = parts;
  }

  override async llmNode(
    ...[context, tools, settings]: Parameters<voice.Agent['llmNode']>
  ): ReturnType<voice.Agent['llmNode']> {
    const { passages } = this.#parts;
    const question = passages && lastQuestion(context);
    const told = question ? withPassages(context, await passages(question)) : context;
    return voice.Agent.default.llmNode(this, told, tools, settings);
  }

  override async ttsNode(
    ...[text]: Parameters<voice.Agent['ttsNode']>
  ): Promise<ReadableStream<AudioFrame>> {
    return asStream((signal) => this.#parts.speak(text, signal));
  }
}

/** Aborts the generator when the stream is cancelled. */
export function asStream<Item>(
  open: (signal: AbortSignal) => AsyncGenerator<Item>,
): ReadableStream<Item> {
  const stop = new AbortController();
  const items = open(stop.signal);
  return new ReadableStream<Item>({
    async pull(controller) {
      const { done, value } = await items.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      stop.abort(new Error('stream cancelled'));
    },
  });
}
