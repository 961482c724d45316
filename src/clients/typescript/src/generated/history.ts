// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export type HistoryRetrieveParams = {
  span?: 'hour' | 'day' | 'week' | 'month';
};

export class HistoryResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Retrieve history of sessions. For charts: sessions, failures and minutes of the last hour, day,
   * week or month.
   */
  retrieve(
    query: HistoryRetrieveParams = {},
    options: RequestOptions = {},
  ): Promise<models.SessionHistory> {
    return this.#transport.json({ method: 'GET', path: '/v1/history', query }, options);
  }
}
