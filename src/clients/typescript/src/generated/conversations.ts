// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type ConversationsListParams = {
  limit?: number;
  /** Only calls with this agent, deleted or not. */
  agent_id?: string;
  /** Only calls that were rated so. */
  rating?: 'good' | 'bad';
};

export class ConversationsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List conversations. Most recent first. A cursor is valid only with the filter it was created
   * with.
   */
  list(query: ConversationsListParams = {}, options: RequestOptions = {}): Pages<models.Call> {
    return this.#transport.pages({ method: 'GET', path: '/v1/conversations', query }, options);
  }

  /** Retrieve conversation. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.Call> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/conversations/${segment(id)}` },
      options,
    );
  }

  /** List messages of a conversation. All messages, in spoken order. */
  messages(id: string, options: RequestOptions = {}): Promise<models.CallMessages> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/conversations/${segment(id)}/messages` },
      options,
    );
  }
}
