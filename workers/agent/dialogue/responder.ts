import { llm } from '@livekit/agents';
import { systemClock, type Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import type { Passages } from '#protocol/call-brief.ts';
import { answered } from './responder/answered.ts';
import type { Line } from './responder/conversation.ts';

type ResponderOptions = {
  agentName: string;
  systemPrompt: string | null;
  language: string;
  hasKnowledge: boolean;
  passages: (question: string) => Promise<Passages['passages']>;
  clock?: Pick<Clock, 'now'>;
};

/** Replaces a missing language model: small talk, and the words of the agent's files and prompt. */
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
    const { systemPrompt: prompt, passages, clock = systemClock, ...agent } = this.#options;
    const content = await answered(
      { ...agent, lines: linesOf(this.chatCtx), now: new Date(clock.now()) },
      { prompt, passages },
    );
    this.queue.put({ id: newName('answer'), delta: { role: 'assistant', content } });
  }
}

/** Up to the user's last one. */
function linesOf(context: llm.ChatContext): Line[] {
  const lines = context.items.flatMap((item): Line[] => {
    if (item.type !== 'message' || item.role === 'system' || item.role === 'developer') return [];
    const sender = item.role === 'user' ? 'user' : 'agent';
    return [{ sender, text: item.textContent ?? '' }];
  });
  return lines.slice(0, lines.findLastIndex(({ sender }) => sender === 'user') + 1);
}
