import { Compile } from 'typebox/compile';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import {
  briefPath,
  CallAllowance,
  CallBrief,
  linePath,
  Passages,
  passagesPath,
  pictureRefusalPath,
  spendingPath,
  WORKER_ID_HEADER,
  WORKER_SECRET_HEADER,
  type CallLine,
  type CallSpending,
} from '#protocol/call-brief.ts';
import type { WorkerIdentity } from '#protocol/worker/worker-id.ts';

/** The control plane rejects this worker's requests for the call. Retrying is useless. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
}

/** A conversation's requests to the control plane, for one call. */
export interface CallControl {
  /** Retries until answered. Rejects with a `CallRefused`, or when `signal` aborts. */
  brief(signal: AbortSignal): Promise<CallBrief>;
  /** Saves a line, without retries. Rejects with a `CallRefused` if retrying is useless. */
  keep(lineId: string, line: CallLine, signal: AbortSignal): Promise<void>;
  /** Reports the totals of the call, without retries. Rejects like `keep`. */
  reportSpending(totals: CallSpending, signal?: AbortSignal): Promise<CallAllowance>;
  /** The call's model refused a picture. Failures are logged. */
  reportPictureRefusal(): Promise<void>;
  /** Empty also on failure or timeout: an answer without passages is better than none. */
  passages(question: string): Promise<Passages['passages']>;
}

type ControlAddress = {
  /** http(s) or ws(s). */
  url: string;
  token: string;
  identity: WorkerIdentity;
};

const ANSWER_MS = 10_000;
/** Short, because the user waits for an answer. */
const PASSAGES_MS = 1_500;
const RETRY: Backoff = { firstMs: 200, maxMs: 3_000 };
/** Client errors that a retry may resolve. */
const TRANSIENT = new Set([408, 425, 429]);

const isBrief = Compile(CallBrief);
const isAllowance = Compile(CallAllowance);
const arePassages = Compile(Passages);

export function callControl(
  { url, token, identity }: ControlAddress,
  callId: string,
  { clock, log }: { clock: Clock; log: Log },
): CallControl {
  const base = url.replace(/^ws/, 'http');

  async function ask(
    path: string,
    { method, body, signal, withinMs }: RequestOptions,
  ): Promise<unknown> {
    const timeout = new AbortController();
    const cancel = clock.after(withinMs, () => timeout.abort(new Error('timed out')));
    try {
      const response = await fetch(new URL(path, base), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          [WORKER_ID_HEADER]: identity.workerId,
          [WORKER_SECRET_HEADER]: identity.secret,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.any([...(signal ? [signal] : []), timeout.signal]),
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
          throw new CallRefused('invalid brief');
        } catch (error) {
          if (signal.aborted || error instanceof CallRefused) throw error;
          log.warn({ err: error, attempt }, 'failed to get the brief; retrying');
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

    async reportSpending(totals, signal) {
      const answer = await ask(spendingPath(callId), {
        method: 'PUT',
        body: totals,
        ...(signal && { signal }),
        withinMs: ANSWER_MS,
      });
      if (!isAllowance.Check(answer)) throw new CallRefused('invalid allowance');
      return answer;
    },

    async reportPictureRefusal() {
      const request = { method: 'PUT', withinMs: ANSWER_MS } as const;
      await ask(pictureRefusalPath(callId), request).catch((error: unknown) =>
        log.warn({ err: error }, 'the service does not know that the model refuses pictures'),
      );
    },

    async passages(question) {
      try {
        const answer = await ask(passagesPath(callId), {
          method: 'POST',
          body: { question: question.slice(0, 2_000).toWellFormed() },
          withinMs: PASSAGES_MS,
        });
        if (!arePassages.Check(answer)) throw new Error('invalid passages');
        return answer.passages;
      } catch (error) {
        log.error({ err: error }, 'passages unavailable; answering without them');
        return [];
      }
    },
  };
}

type RequestOptions = {
  method: 'GET' | 'PUT' | 'POST';
  body?: unknown;
  signal?: AbortSignal;
  withinMs: number;
};
