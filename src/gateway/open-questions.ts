import {
  questionKey,
  resultOf,
  type Answer,
  type Question,
  type Result,
} from '#protocol/worker/questions.ts';
import type { Clock } from '#shared/clock.ts';
import { QUESTION_RULES } from '../fleet/question-rules.ts';

type OpenQuestion = {
  result: Promise<Result>;
  settle: (result: Result) => void;
  forget: () => void;
};

/**
 * Questions to one worker. Answers are kept in memory for a moment, for others who ask the same.
 */
export class OpenQuestions {
  readonly #clock: Clock;
  readonly #questions = new Map<string, OpenQuestion>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null: the worker has no answer, or gave none in time. `send` sends the question. */
  ask(question: Question, send: () => void): Promise<Result> {
    const key = questionKey(question);
    const earlier = this.#questions.get(key);
    if (earlier) return earlier.result;
    const opened = this.#open(key, question);
    this.#questions.set(key, opened);
    send();
    return opened.result;
  }

  answered(answer: Answer): void {
    this.#questions.get(questionKey(answer))?.settle(resultOf(answer));
  }

  close(): void {
    for (const { settle, forget } of this.#questions.values()) {
      settle(null);
      forget();
    }
  }

  #open(key: string, { type }: Question): OpenQuestion {
    const { answerMs, keptMs } = QUESTION_RULES[type];
    const { promise, resolve } = Promise.withResolvers<Result>();
    const cancelWait = this.#clock.after(answerMs, () => resolve(null));
    const forget = () => {
      cancelWait();
      cancelForget();
      this.#questions.delete(key);
    };
    const cancelForget = this.#clock.after(keptMs, forget);
    return {
      result: promise,
      settle: (result) => {
        cancelWait();
        resolve(result);
      },
      forget,
    };
  }
}
