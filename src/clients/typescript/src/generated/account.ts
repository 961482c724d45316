// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export class AccountResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Retrieve own account. */
  retrieve(options: RequestOptions = {}): Promise<models.OwnAccount> {
    return this.#transport.json({ method: 'GET', path: '/v1/account' }, options);
  }

  /**
   * Update own account. Omitted fields keep their values. Data that is older than the new retention
   * is deleted within an hour.
   */
  update(body: models.OwnAccountChanges, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing({ method: 'PATCH', path: '/v1/account', body }, options);
  }
}
