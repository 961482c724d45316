import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientAddress } from '#shared/network/client-address.ts';
import type { Clock } from '#shared/clock.ts';
import type { Networks } from '#shared/network/networks.ts';

const HEADER = 'x-troupe-forwarded';
/** Including the skew of two clocks. */
const LIFE_MS = 60_000;

type ForwardedParts = {
  secret: Buffer;
  /** Null: no proxy's headers are believed. */
  proxies: Networks | null;
  clock: Pick<Clock, 'now'>;
};

/**
 * The client's address on handshakes that one control plane passes on to another: limits and the
 * networks of keys are the client's. Signed, because anyone may send the header.
 */
export class ForwardedHandshakes {
  readonly #key: Buffer;
  readonly #proxies: Networks | null;
  readonly #clock: Pick<Clock, 'now'>;

  constructor({ secret, proxies, clock }: ForwardedParts) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'forwarded handshakes', 32));
    this.#proxies = proxies;
    this.#clock = clock;
  }

  /** The headers to pass on: without those of proxies, which the other one may not trust. */
  headersOf(request: IncomingMessage): IncomingMessage['headers'] {
    const { 'x-forwarded-for': _chain, ...headers } = request.headers;
    const address = clientAddress(request, this.#proxies);
    const expiresAt = this.#clock.now() + LIFE_MS;
    const signature = this.#sign(request.url, address, expiresAt);
    return { ...headers, [HEADER]: [expiresAt, signature, address].join(' ') };
  }

  /** The client's address; null if the request was not passed on. */
  addressOf({ url, headers }: IncomingMessage): string | null {
    const [expires, signature = '', address = ''] = String(headers[HEADER] ?? '').split(' ');
    const expiresAt = Number(expires);
    const expected = Buffer.from(this.#sign(url, address, expiresAt));
    const received = Buffer.from(signature);
    const isOurs = received.length === expected.length && timingSafeEqual(received, expected);
    return isOurs && this.#clock.now() < expiresAt ? address : null;
  }

  #sign(url: string | undefined, address: string, expiresAt: number): string {
    return createHmac('sha256', this.#key)
      .update(`${expiresAt}\n${address}\n${url}`)
      .digest('base64url');
  }
}
