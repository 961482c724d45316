import { Refusal } from '../../api/answers.ts';
import type { ChatService, CallCredentials } from './chat-service.ts';
import { pause } from './pause.ts';

/** Retry delay when a 503 has no Retry-After. */
const BUSY_SECONDS = 5;

type Waiting = {
  /** Every avatar is busy. `tries` counts the attempts so far. */
  onBusy: (tries: number, retryInSeconds: number) => void;
  /** Stops waiting; the last refusal is thrown. */
  signal: AbortSignal;
};

/** Retries while every avatar is busy. */
export async function openWhenFree(
  chat: Pick<ChatService, 'open'>,
  userName: string,
  { onBusy, signal }: Waiting,
): Promise<CallCredentials> {
  for (let tries = 1; ; tries++) {
    try {
      return await chat.open(userName);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 503) throw error;
      const retryInSeconds = error.retryAfterSeconds ?? BUSY_SECONDS;
      onBusy(tries, retryInSeconds);
      await pause(retryInSeconds * 1000, signal);
      if (signal.aborted) throw error;
    }
  }
}
