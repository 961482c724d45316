import { Compile } from 'typebox/compile';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import {
  briefPath,
  CallBrief,
  linePath,
  Passages,
  passagesPath,
  WORKER_ID_HEADER,
  type CallLine,
} from '#protocol/call-brief.ts';

/** The control plane will not tell or keep anything of this call for this worker, however often it is asked. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
}

/** What a conversation asks of the control plane and tells it, of one call. */
export interface CallControl {
  /** Asks until it is answered. Rejects with a `CallRefused`, or when `signal` aborts. */
  brief(signal: AbortSignal): Promise<CallBrief>;
  /** Asks once. Rejects with a `CallRefused` when it will never be taken. */
  keep(lineId: string, line: CallLine, signal: AbortSignal): Promise<void>;
  /** None also when they could not be had in time: an answer without them is better than none. */
  passages(question: string): Promise<Passages['passages']>;
}

export type ControlAddress = {
  /** The control plane's address: http(s) or ws(s). */
  url: string;
  token: string;
  workerId: string;
};

const ANSWER_MS = 10_000;
/** They stand between a question and its answer. */
const PASSAGES_MS = 1_500;
const RETRY: Backoff = { firstMs: 200, maxMs: 3_000 };
/** What may mend itself, although it says that the request is at fault. */
const TRANSIENT = new Set([408, 425, 429]);

const isBrief = Compile(CallBrief);
const arePassages = Compile(Passages);

export function callControl(
  { url, token, workerId }: ControlAddress,
  callId: string,
  { clock, log }: { clock: Clock; log: Log },
): CallControl {
  const base = url.replace(/^ws/, 'http');

  async function ask(path: string, { method, body, signal, withinMs }: Question): Promise<unknown> {
    const tooLate = new AbortController();
    const cancel = clock.after(withinMs, () => tooLate.abort(new Error('took too long')));
    try {
      const response = await fetch(new URL(path, base), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          [WORKER_ID_HEADER]: workerId,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.any([...(signal ? [signal] : []), tooLate.signal]),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : JSON.parse(text);
      const { status } = response;
      const isFinal = status >= 400 && status < 500 && !TRANSIENT.has(status);
      throw isFinal
        ? new CallRefused(`the control plane answered ${status}`)
        : new Error(`the control plane answered ${status}`);
    } finally {
      cancel();
    }
  }

  return {
    async brief(signal) {
      for (let attempt = 1; ; attempt++) {
        try {
          const brief = await ask(briefPath(callId), {
            method: 'GET',
            signal,
            withinMs: ANSWER_MS,
          });
          if (isBrief.Check(brief)) return brief;
          throw new CallRefused('the brief does not read');
        } catch (error) {
          if (signal.aborted || error instanceof CallRefused) throw error;
          log.warn({ err: error, attempt }, 'the brief of a call is not to be had yet');
          await delay(clock, backoffMs(attempt, RETRY), signal);
        }
      }
    },

    async keep(lineId, line, signal) {
      await ask(linePath(callId, lineId), {
        method: 'PUT',
        body: line,
        signal,
        withinMs: ANSWER_MS,
      });
    },

    async passages(question) {
      try {
        const answer = await ask(passagesPath(callId), {
          method: 'POST',
          body: { question: question.slice(0, 2_000) },
          withinMs: PASSAGES_MS,
        });
        if (!arePassages.Check(answer)) throw new Error('passages do not read');
        return answer.passages;
      } catch (error) {
        log.error({ err: error }, 'an answer is given without what the files say');
        return [];
      }
    },
  };
}

type Question = {
  method: 'GET' | 'PUT' | 'POST';
  body?: unknown;
  signal?: AbortSignal;
  withinMs: number;
};
