// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';

export class AuthResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Verify API key. */
  verify(options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing({ method: 'GET', path: '/v1/auth/verify' }, options);
  }
}
