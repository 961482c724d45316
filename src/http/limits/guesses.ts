/*
 * Slows guesses of what people type or open: passwords of people and administrators, the admin
 * password, one-time links and codes, link tokens of private agents. One rule for all:
 *
 * - A wrong guess counts at the caller's address, for each kind of secret apart. A guess at a name
 *   also counts at the name, from all addresses together.
 * - The first `FREE_GUESSES` cost nothing. Each further one makes the address or name wait: 1 s,
 *   2 s, 4 s and so on, up to a minute. After the wait, one is forgotten every minute.
 * - While it waits, right and wrong secrets get the same 429.
 * - A right guess forgets no wrong ones: a guesser may have a secret of their own. For namesakes in
 *   other accounts it is a wrong one.
 * - The wait of a name does not hold at addresses where the person has signed in, so that strangers
 *   lock nobody out. The admin password has no name: only guessing addresses wait.
 * - All control planes count together; while the shared store is unavailable, each counts alone.
 *
 * API keys are random, so `rate-limit.ts` suffices for them.
 */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { GuessCounts } from './guess-counts.ts';
import { addressOf, refusal } from './rate-limit.ts';

const KNOWN_MS = 30 * 86_400_000;
const DETAIL = 'Too many failed attempts. Wait for the time in Retry-After.';
const ADVICE = 'Or sign in with a link from the machine of the service: npm run key -- console.';

type Kind = 'admin password' | 'link' | `link token of ${string}` | 'password';

type NamedGuess<Person> = {
  name: string;
  /** All who have the name. */
  people: readonly Person[];
  /** Those whose password it is. Called only while nothing waits. */
  check: () => Promise<Person[]>;
};

/** Waits that all control planes share. Rejects while the shared store is unavailable. */
export interface SharedGuessCounts {
  settle(name: string, isWrong: boolean): Promise<number>;
  mark(name: string, ms: number): Promise<void>;
  isMarked(name: string): Promise<boolean>;
}

export class Guesses {
  readonly #own: GuessCounts;
  readonly #shared: SharedGuessCounts | null;

  constructor({ clock, shared }: { clock: Clock; shared: SharedGuessCounts | null }) {
    this.#own = new GuessCounts(clock);
    this.#shared = shared;
  }

  /** Throws `rate_limit` while the address waits. Counts a wrong guess. */
  async judge(request: FastifyRequest, kind: Kind, isRight: boolean): Promise<void> {
    const waitMs = await this.#settle(`${kind} ${addressOf(request)}`, !isRight);
    if (waitMs > 0) throw refusal(waitMs, kind === 'password' ? `${DETAIL} ${ADVICE}` : DETAIL);
  }

  /** People who may sign in. Throws `rate_limit` while the address or the name waits. */
  async judgeNamed<Person extends { id: string }>(
    request: FastifyRequest,
    { name, people, check }: NamedGuess<Person>,
  ): Promise<Person[]> {
    const counter = `name ${hash('sha256', name)}`;
    const marks = await Promise.all(
      people.map((person) => this.#isMarked(placeOf(person, request))),
    );
    const knownIds = new Set(people.filter((_, i) => marks[i]).map(({ id }) => id));
    const gate = async (isWrong: boolean) => {
      await this.judge(request, 'password', !isWrong);
      const waitMs = await this.#settle(counter, isWrong);
      if (waitMs > 0 && knownIds.size === 0) throw refusal(waitMs, `${DETAIL} ${ADVICE}`);
      return waitMs > 0;
    };

    await gate(false);
    const matches = await check();
    const isWaiting = await gate(matches.length === 0 || matches.length < people.length);
    return isWaiting ? matches.filter(({ id }) => knownIds.has(id)) : matches;
  }

  /** The person has signed in at this address. */
  async remember(request: FastifyRequest, person: { id: string }): Promise<void> {
    const place = placeOf(person, request);
    this.#own.mark(place, KNOWN_MS);
    await this.#shared?.mark(place, KNOWN_MS).catch(() => {});
  }

  /** Milliseconds that it waits. Counts a wrong guess unless it waits. */
  async #settle(counter: string, isWrong: boolean): Promise<number> {
    // Floods end here, without a question to the shared store.
    const ownWaitMs = this.#own.settle(counter, false);
    if (ownWaitMs > 0) return ownWaitMs;
    const sharedWaitMs = (await this.#shared?.settle(counter, isWrong).catch(() => 0)) ?? 0;
    return sharedWaitMs > 0 ? sharedWaitMs : this.#own.settle(counter, isWrong);
  }

  async #isMarked(place: string): Promise<boolean> {
    if (this.#own.isMarked(place)) return true;
    return (await this.#shared?.isMarked(place).catch(() => false)) ?? false;
  }
}

const placeOf = ({ id }: { id: string }, request: FastifyRequest): string =>
  `${id} ${addressOf(request)}`;
