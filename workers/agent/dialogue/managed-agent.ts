import { ReadableStream, TransformStream } from 'node:stream/web';
import { llm, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Log } from '#shared/log.ts';
import type { Passages } from '#protocol/call-brief.ts';
import type { CallBudget } from '../call-budget.ts';
import { textOfPart, type AnswerPart } from './answer-part.ts';
import { lastQuestion } from './chat.ts';
import { withPicture } from './model.ts';
import type { ModelContext } from './model-context.ts';
import { slowAnswer, withoutPhrase, type Waiting } from './slow-answer.ts';

type ManagedAgentParts = {
  instructions: string;
  history: llm.ChatContext;
  /** Finds passages for a question; null: no files, or the model retrieves them itself. */
  passages: ((question: string) => Promise<Passages['passages']>) | null;
  /** Said instead of an answer when the call has had too many. */
  sorry: string;
  /** Null: the built-in responder. */
  model: {
    /** Chooses what the model gets of the conversation. */
    context: Pick<ModelContext, 'fit'>;
    /** What is said while it thinks. */
    waiting: Waiting;
    /** Picture of the user's camera, as a data URL. Null: it is off. */
    picture: () => Promise<string | null>;
  } | null;
  budget: Pick<CallBudget, 'isUsedUp'>;
  log: Log;
  /** Speaks streamed text. */
  speak: (text: AsyncIterable<string>, signal: AbortSignal) => AsyncGenerator<AudioFrame>;
};

/** Limits the cost of one call. More than a person can ask for in the longest one. */
const MAX_ANSWERS = 1_000;

/** Some minutes of speech, where a few sentences are asked for. */
const MAX_ANSWER_CHARACTERS = 6_000;

type Answer = Awaited<ReturnType<voice.Agent['llmNode']>>;

/** The framework's agent, with retrieval before the model and our voices after it. */
export class ManagedAgent extends voice.Agent {
  readonly #parts: ManagedAgentParts;
  #answers: number;
  /** Asked for before the user's turn was over. */
  #anticipated: { conversation: string; answer: Promise<Answer> } | null = null;

  constructor(parts: ManagedAgentParts) {
    super({ instructions: parts.instructions, chatCtx: parts.history });
    this.#parts = parts;
    this.#answers = parts.history.items.filter(isAnswer).length;
  }

  override async llmNode(
    ...[context, tools, settings]: Parameters<voice.Agent['llmNode']>
  ): Promise<Answer> {
    const { model } = this.#parts;
    const askedAt = model?.waiting.clock.elapsed() ?? 0;
    const answer = await (this.#takeAnticipated(context) ?? this.#answer(context, tools, settings));
    return answer && model ? answer.pipeThrough(slowAnswer(model.waiting, askedAt)) : answer;
  }

  /** Asks the model before the user's turn is over, with the words so far. */
  anticipate(context: llm.ChatContext): void {
    this.retract();
    const question = context.copy();
    question.insert(
      llm.ChatMessage.create({ role: 'system', content: this.#parts.instructions, createdAt: 0 }),
    );
    const answer = this.#answer(question, this.toolCtx, {});
    // `llmNode` awaits it, or `drop` does.
    answer.catch(() => {});
    this.#anticipated = { conversation: conversationIn(question), answer };
  }

  /** The user goes on: the anticipated answer is not wanted. */
  retract(): void {
    void drop(this.#anticipated?.answer);
    this.#anticipated = null;
  }

  #takeAnticipated(context: llm.ChatContext): Promise<Answer> | null {
    const anticipated = this.#anticipated;
    this.#anticipated = null;
    if (anticipated?.conversation === conversationIn(context)) return anticipated.answer;
    void drop(anticipated?.answer);
    return null;
  }

  async #answer(
    ...[context, tools, settings]: Parameters<voice.Agent['llmNode']>
  ): Promise<Answer> {
    const { passages, model, budget, sorry, log } = this.#parts;
    this.#answers += 1;
    if (this.#answers > MAX_ANSWERS || budget.isUsedUp) {
      log.warn('question not answered: the call has cost as much as it may');
      return ReadableStream.from([sorry]);
    }
    const question = passages && lastQuestion(context);
    const foundPassages = question ? await passages(question) : [];
    const sentContext = model
      ? withPicture(
          model.context.fit(withoutPhrase(context, model.waiting), foundPassages),
          await model.picture(),
        )
      : context;
    const answer = await voice.Agent.default.llmNode(this, sentContext, tools, settings);
    return answer && answer.pipeThrough(boundedAnswer());
  }

  override async ttsNode(
    ...[text]: Parameters<voice.Agent['ttsNode']>
  ): Promise<ReadableStream<AudioFrame>> {
    return asStream((signal) => this.#parts.speak(text, signal));
  }
}

/** The lines of user and agent, without instructions and ids. */
const conversationIn = (context: llm.ChatContext): string =>
  JSON.stringify(
    context.items.flatMap((item) =>
      item.type === 'message' && (item.role === 'user' || item.role === 'assistant')
        ? [[item.role, item.textContent]]
        : [],
    ),
  );

/** Ends the request of an answer that nobody wants. */
async function drop(answer: Promise<Answer> | undefined): Promise<void> {
  const stream = await answer?.catch(() => null);
  await stream?.cancel().catch(() => {});
}

/** Passes an answer on, and cuts an endless one. */
function boundedAnswer(): TransformStream<AnswerPart, AnswerPart> {
  let leftCharacters = MAX_ANSWER_CHARACTERS;
  return new TransformStream({
    transform(part, controller) {
      const text = textOfPart(part);
      controller.enqueue(
        text.length > leftCharacters ? withText(part, text.slice(0, leftCharacters)) : part,
      );
      leftCharacters -= text.length;
      if (leftCharacters <= 0) controller.terminate();
    },
  });
}

function withText(part: AnswerPart, content: string): AnswerPart {
  if (typeof part === 'string') return content;
  return { ...part, delta: { role: 'assistant', ...part.delta, content } };
}

const isAnswer = (item: llm.ChatItem): boolean =>
  item.type === 'message' && item.role === 'assistant';

/**
 * The stream reads ahead without limit, because what was heard of a sentence follows from its
 * length. Cancelling the stream aborts and ends the generator.
 */
export function asStream<Item>(
  open: (signal: AbortSignal) => AsyncGenerator<Item>,
): ReadableStream<Item> {
  const stop = new AbortController();
  const items = open(stop.signal);
  return new ReadableStream<Item>(
    {
      async pull(controller) {
        const { done, value } = await items.next();
        if (stop.signal.aborted) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        stop.abort(new Error('stream cancelled'));
        await items.return(undefined);
      },
    },
    { highWaterMark: Infinity },
  );
}
