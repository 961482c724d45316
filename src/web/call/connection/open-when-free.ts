import { Refusal } from '../../api/answers.ts';
import type { ChatService, CallCredentials } from './chat-service.ts';
import { pause } from './pause.ts';

/** Retry delay when a 503 has no Retry-After. */
const BUSY_SECONDS = 5;

export type Busy = {
  /** Attempts so far. */
  tries: number;
  retryInSeconds: number;
  /** Keeps the place in line. Null: there is none. */
  ticket: string | null;
  /** 1 for the first in line; null: not known. */
  position: number | null;
};

type Waiting = {
  /** Shape of the frame to ask for. */
  screen?: 'landscape' | 'portrait' | null;
  /** Ticket of an earlier attempt, before a reload. */
  ticket: string | null;
  /** Every avatar is busy. */
  onBusy: (busy: Busy) => void;
  /** Stops waiting and leaves the line; the last refusal is thrown. */
  signal: AbortSignal;
};

/** Retries while every avatar is busy. */
export async function openWhenFree(
  chat: Pick<ChatService, 'open' | 'leaveLine'>,
  userName: string,
  { screen = null, ticket: firstTicket, onBusy, signal }: Waiting,
): Promise<CallCredentials> {
  let ticket = firstTicket;
  for (let tries = 1; ; tries++) {
    try {
      return await chat.open(userName, ticket, screen);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 503) throw error;
      const { line_ticket: newTicket, line_position: position } = error.about;
      if (typeof newTicket === 'string') ticket = newTicket;
      const retryInSeconds = error.retryAfterSeconds ?? BUSY_SECONDS;
      if (!signal.aborted) {
        onBusy({
          tries,
          retryInSeconds,
          ticket,
          position: typeof position === 'number' ? position : null,
        });
        await pause(retryInSeconds * 1000, signal);
      }
      if (!signal.aborted) continue;
      if (ticket !== null) await leaveLine(chat, ticket);
      throw error;
    }
  }
}

/** If this fails, the service forgets the place a moment later. */
const leaveLine = (chat: Pick<ChatService, 'leaveLine'>, ticket: string): Promise<void> =>
  chat.leaveLine(ticket).catch((error: unknown) => console.warn('could not leave the line', error));
