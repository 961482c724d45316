import { llm } from '@livekit/agents';
import { newName } from '#shared/ids.ts';
import type { Passages } from '#protocol/call-brief.ts';
import { answerFrom, type Source } from './answering.ts';
import { lastQuestion } from './chat.ts';

type ResponderOptions = {
  agentName: string;
  systemPrompt: string | null;
  language: string;
  passages: (question: string) => Promise<Passages['passages']>;
};

/** Replaces a missing language model: quotes the agent's files and prompt, with the source. */
export class Responder extends llm.LLM {
  readonly #options: ResponderOptions;

  constructor(options: ResponderOptions) {
    super();
    this.#options = options;
  }

  override label(): string {
    return 'troupe.Responder';
  }

  override get model(): string {
    return 'responder';
  }

  override get provider(): string {
    return 'troupe';
  }

  override chat({ chatCtx, toolCtx, connOptions }: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    return new Answer(this, this.#options, {
      chatCtx,
      ...(toolCtx && { toolCtx }),
      connOptions: connOptions ?? { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 0 },
    });
  }
}

class Answer extends llm.LLMStream {
  readonly #options: ResponderOptions;

  constructor(
    responder: Responder,
    options: ResponderOptions,
    stream: ConstructorParameters<typeof llm.LLMStream>[1],
  ) {
    super(responder, stream);
    this.#options = options;
  }

  protected override async run(): Promise<void> {
    const { agentName, systemPrompt, language, passages } = this.#options;
    const question = lastQuestion(this.chatCtx);
    const quotations = question === '' ? [] : await passages(question);
    const sources: Source[] = [
      ...quotations.map(({ source, text }) => ({ name: source, text })),
      ...(systemPrompt === null ? [] : [{ name: null, text: systemPrompt }]),
    ];
    const content = answerFrom(question, { agentName, language, sources });
    this.queue.put({ id: newName('answer'), delta: { role: 'assistant', content } });
  }
}
