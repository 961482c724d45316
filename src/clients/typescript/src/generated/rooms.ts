// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export class RoomsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Mint credentials for a room with an agent. Growth plan and above. Returns a call. */
  create(body: models.CallRequest, options: RequestOptions = {}): Promise<models.OpenedCall> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/mediaserver-rooms', body, takesKey: true },
      options,
    );
  }
}
