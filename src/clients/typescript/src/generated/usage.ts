// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export class UsageResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Retrieve usage. Usage of the account this month, and the limits of its plan. */
  retrieve(options: RequestOptions = {}): Promise<models.Usage> {
    return this.#transport.json({ method: 'GET', path: '/v1/usage' }, options);
  }
}
