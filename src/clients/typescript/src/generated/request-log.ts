// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export type RequestLogListParams = {
  /** Class of the status. */
  status?: '2xx' | '3xx' | '4xx' | '5xx';
  /** As in `route`. */
  route?: string;
  limit?: number;
};

export class RequestLogResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List requests. Requests of the last hour under `/v1`, most recent first, to debug an
   * integration: at most 300 of each control plane, kept in memory only, without secrets. What
   * people read in the console is left out.
   */
  list(query: RequestLogListParams = {}, options: RequestOptions = {}): Promise<models.RequestLog> {
    return this.#transport.json({ method: 'GET', path: '/v1/request-log', query }, options);
  }
}
