// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type CallsListParams = {
  limit?: number;
  /** Only calls with this agent, deleted or not. */
  agent_id?: string;
  /** Only calls that were rated so. */
  rating?: 'good' | 'bad';
};

export class CallsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Delete call. Deletes a completed call with its transcript, its session and its webhook events,
   * delivered or not. Its minutes still count.
   */
  delete(id: string, options: RequestOptions = {}): Promise<models.DeletionReceipt> {
    return this.#transport.json({ method: 'DELETE', path: `/v1/calls/${segment(id)}` }, options);
  }

  /** Retrieve call. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.Call> {
    return this.#transport.json({ method: 'GET', path: `/v1/calls/${segment(id)}` }, options);
  }

  /**
   * Start a call with an agent. Creates a room where the agent's avatar performs as the participant
   * `avatar_worker`, and a token for one user. The call ends when the user leaves or at the agent's
   * time limit. It counts as one session.
   */
  create(body: models.CallRequest, options: RequestOptions = {}): Promise<models.OpenedCall> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/calls', body, takesKey: true },
      options,
    );
  }

  /** List calls. Most recent first. A cursor is valid only with the filter it was created with. */
  list(query: CallsListParams = {}, options: RequestOptions = {}): Pages<models.Call> {
    return this.#transport.pages({ method: 'GET', path: '/v1/calls', query }, options);
  }

  /** List messages of a call. All messages, in spoken order. */
  messages(id: string, options: RequestOptions = {}): Promise<models.CallMessages> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/calls/${segment(id)}/messages` },
      options,
    );
  }

  /**
   * End call. Agent and avatar leave, and the room closes. A call that has already ended is returned
   * unchanged.
   */
  end(id: string, options: RequestOptions = {}): Promise<models.Call> {
    return this.#transport.json({ method: 'POST', path: `/v1/calls/${segment(id)}/end` }, options);
  }

  /**
   * Create room token of a call. Another token for the user, valid for ten minutes, to come back
   * when the first one has expired. Connected users need none.
   */
  createToken(id: string, options: RequestOptions = {}): Promise<models.CallToken> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/calls/${segment(id)}/token` },
      options,
    );
  }
}
