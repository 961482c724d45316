import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Transcript } from '../listening/transcript.ts';
import { LineProgram } from '../processes/line-program.ts';
import { piecesOf } from './speech-pieces.ts';

/** Facts of an utterance that help some models. */
export type Utterance = {
  /** ISO 639-1. */
  language?: string;
  /** The speaker has not paused: a later utterance repeats this one, with more of it. */
  goesOn?: boolean;
};

/** Transcribes one utterance. */
export type Recognizer = {
  recognize(samples: Float32Array, sampleRate: number, utterance?: Utterance): Promise<Transcript>;
};

const LOAD_MS = 120_000;
/** Until the program names its limit. */
const LONGEST_SECONDS = 8;

type Transcription = { transcribe: string; rate: number; language?: string; goes_on?: boolean };
type Answer = { text?: string; certainty?: number; probability?: number };

type Job = {
  body: Transcription;
  /** The program exited while it had the request. */
  wasInterrupted: boolean;
  answer: PromiseWithResolvers<Answer>;
};

type RecognizerProgramOptions = {
  name: string;
  command: string;
  args: readonly string[];
  /**
   * For a piece of speech, on a busy machine. Requests wait up to twice as long, for their turn or
   * until the program is restarted.
   */
  answerMs: number;
  /** Called each time that the program has loaded its model. */
  onReady: () => void;
  clock: Clock;
  log: Log;
};

/**
 * A speech model in a process of its own, shared by all calls: it transcribes one utterance at a
 * time, a long one in pieces, between which those of other calls have their turn. Owns the process.
 */
export class RecognizerProgram implements Recognizer {
  readonly #program: LineProgram<Answer>;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #waitMs: number;
  readonly #waiting: Job[] = [];
  #longestSeconds = LONGEST_SECONDS;
  #isBusy = false;
  #isClosed = false;

  constructor({ onReady, ...options }: RecognizerProgramOptions) {
    this.#clock = options.clock;
    this.#name = options.name;
    this.#waitMs = 2 * options.answerMs;
    this.#program = new LineProgram({
      ...options,
      loadMs: LOAD_MS,
      onReady: ({ longest_seconds: longestSeconds }) => {
        if (typeof longestSeconds === 'number') this.#longestSeconds = longestSeconds;
        onReady();
        this.#next();
      },
    });
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  async recognize(
    samples: Float32Array,
    rate: number,
    { language, goesOn }: Utterance = {},
  ): Promise<Transcript> {
    const about = { rate, ...(language && { language }), ...(goesOn && { goes_on: true }) };
    const texts: string[] = [];
    let lastCertainty = 1;
    for (const piece of piecesOf(samples, rate, this.#longestSeconds)) {
      const request = { transcribe: base64Of(piece), ...about };
      const { text = '', certainty = 1 } = await this.#request(request);
      texts.push(text);
      lastCertainty = certainty;
    }
    return { text: texts.filter(Boolean).join(' '), certainty: lastCertainty };
  }

  /** At 16 kHz. Passes waiting transcriptions. Rejects if the program is not ready. */
  async endOfTurn(samples: Int16Array<ArrayBuffer>): Promise<number> {
    const sound = Buffer.from(samples.buffer).toString('base64');
    const { probability } = await this.#program.request({ end_of_turn: sound });
    if (probability === undefined) throw new Error(`the ${this.#name} gave no probability`);
    return probability;
  }

  async #request(body: Transcription): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    const job: Job = { body, wasInterrupted: false, answer };
    this.#waiting.push(job);
    const cancel = this.#clock.after(this.#waitMs, () => {
      const at = this.#waiting.indexOf(job);
      if (at >= 0) this.#waiting.splice(at, 1);
      answer.reject(new Error(`the ${this.#name} had no time`));
    });
    this.#next();
    try {
      return await answer.promise;
    } finally {
      cancel();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#program.close();
    for (const { answer } of this.#waiting.splice(0))
      answer.reject(new Error(`the ${this.#name} is closed`));
  }

  #next(): void {
    if (this.#isBusy || !this.#program.isReady) return;
    const job = this.#waiting.shift();
    if (!job) return;
    this.#isBusy = true;
    void this.#perform(job).finally(() => {
      this.#isBusy = false;
      this.#next();
    });
  }

  async #perform(job: Job): Promise<void> {
    try {
      job.answer.resolve(await this.#program.request(job.body));
    } catch (error) {
      // Again once: the program may have been killed for want of memory. Or this speech ends it.
      if (this.#program.isReady || this.#isClosed || job.wasInterrupted)
        return job.answer.reject(error);
      job.wasInterrupted = true;
      this.#waiting.unshift(job);
    }
  }
}

/** 16 bits, as the programs expect it. */
function base64Of(samples: Float32Array): string {
  const pcm = Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767);
  return Buffer.from(pcm.buffer).toString('base64');
}
