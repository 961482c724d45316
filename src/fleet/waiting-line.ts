/*
 * The line of calls that were refused because all slots were taken. A call keeps its place between
 * its requests by a ticket, so that its retries do not begin again behind later callers. Each
 * account has a line of its own, in the order of arrival: the fleet's queue lets accounts take
 * turns.
 *
 * Only callers that ask for a ticket get a place. A client that knows no tickets would leave one
 * behind with each retry, and stand behind its own places.
 */
import type { Requirements } from './requirements.ts';

/** Others pass the place of a caller that was silent for this time. */
export const AWAY_AFTER_MS = 15_000;
/** Browsers wake the page of a hidden tab once a minute: until then it can have its place back. */
export const FORGOTTEN_AFTER_MS = 120_000;

/** More callers than this share one address only by chance. */
export const MAX_PLACES_PER_VISITOR = 10;
/** One account may have half of the places of a pool. */
export const accountShare = (maxPlaces: number): number => Math.ceil(maxPlaces / 2);

/** The caller that asks for slots. */
export type LineCaller = {
  account: string;
  /** Null asks for a place; undefined for none. The fleet replaces an unknown ticket. */
  ticket: string | null | undefined;
  /** Hash of a visitor's address; null for a caller with a key. */
  visitor: string | null;
};

/** `needs`: all slots of the call, in one pool. */
export type LineRequest = LineCaller & { needs: readonly Requirements[] };

export type LinePlace = { ticket: string; /** From 1. */ position: number };

export interface WaitingLine {
  /**
   * Whether the request may ask for slots: it is the first, or more are free than those ahead of it
   * can use. Also true when no connected worker could ever serve it.
   */
  isNext(request: LineRequest): Promise<boolean>;
  /** Keeps or takes a place. Null: it gets none. */
  join(request: LineRequest): Promise<LinePlace | null>;
  /** Does nothing for an unknown ticket, or one of another account. */
  leave(account: string, ticket: string): Promise<void>;
}
