// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export class AbilitiesResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Retrieve abilities of the service. Those of an agent without models of its own. */
  list(options: RequestOptions = {}): Promise<models.Abilities> {
    return this.#transport.json({ method: 'GET', path: '/v1/abilities' }, options);
  }
}
