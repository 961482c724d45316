/*
 * A running sign-in at the OpenID provider, kept by the browser in a cookie. It is encrypted with a
 * key of the service, so that another's cookie, or one made by hand, starts nothing; it ends after
 * `FLOW_SECONDS`, and with its first use at any control plane.
 */
import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import type { OpenidFlow } from '../../accounts/people/openid.ts';
import type { SharedRateCounter } from '../limits/rate-limit.ts';

export const FLOW_SECONDS = 600;

/** Beyond it, the oldest is forgotten: the provider refuses its code a second time, too. */
const MAX_USED = 100_000;

type SignInFlow = OpenidFlow & {
  /** The code of a one-time link that the person opened. */
  link: string | null;
};

type OpenidFlowsParts = {
  /** The installation's signing secret. */
  secret: Buffer;
  clock: Pick<Clock, 'now'>;
  /** Null: this control plane is the only one. */
  sharedRateCounter: SharedRateCounter | null;
};

export class OpenidFlows {
  readonly #parts: OpenidFlowsParts;
  readonly #key: Buffer;
  /** Ids of used flows, with the time when they end. The oldest comes first. */
  readonly #used = new Map<string, number>();

  constructor(parts: OpenidFlowsParts) {
    this.#parts = parts;
    this.#key = Buffer.from(hkdfSync('sha256', parts.secret, '', 'OpenID flows', 32));
  }

  /** The text of the cookie. */
  seal(flow: SignInFlow): Promise<string> {
    const endsAt = this.#parts.clock.now() / 1000 + FLOW_SECONDS;
    return new EncryptJWT({ flow })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setJti(newSecret())
      .setExpirationTime(Math.floor(endsAt))
      .encrypt(this.#key);
  }

  /** Null for a text of another origin, and for a flow that has ended or was used. */
  async use(text: string): Promise<SignInFlow | null> {
    const now = this.#parts.clock.now();
    try {
      const { payload } = await jwtDecrypt<{ flow: SignInFlow }>(text, this.#key, {
        currentDate: new Date(now),
        requiredClaims: ['jti', 'exp'],
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return (await this.#isFirstUse(payload.jti!, now)) ? payload.flow : null;
    } catch {
      return null;
    }
  }

  async #isFirstUse(id: string, now: number): Promise<boolean> {
    for (const [usedId, endsAt] of this.#used) {
      if (endsAt > now && this.#used.size < MAX_USED) break;
      this.#used.delete(usedId);
    }
    if (this.#used.has(id)) return false;
    this.#used.set(id, now + FLOW_SECONDS * 1000);
    const { sharedRateCounter } = this.#parts;
    if (!sharedRateCounter) return true;
    // While the shared store is unavailable, each control plane knows its own only.
    const shared = sharedRateCounter.count(`openid ${id}`, FLOW_SECONDS * 1000);
    return shared.then(
      ({ current }) => current === 1,
      () => true,
    );
  }
}
