// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type PeopleListParams = {
  limit?: number;
};

export class PeopleResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List people. Who may use the console for this account, most recent first. */
  list(query: PeopleListParams = {}, options: RequestOptions = {}): Pages<models.Person> {
    return this.#transport.pages({ method: 'GET', path: '/v1/people', query }, options);
  }

  /** Change role of person. Takes effect with their next request. The last owner stays one. */
  update(
    id: string,
    body: models.PersonChanges,
    options: RequestOptions = {},
  ): Promise<models.Person> {
    return this.#transport.json(
      { method: 'PATCH', path: `/v1/people/${segment(id)}`, body },
      options,
    );
  }

  /** Remove person. Ends their sign-ins. The last owner stays. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/people/${segment(id)}` },
      options,
    );
  }

  /**
   * Create sign-in link. The link works once and for one day. It is meant for people who have
   * forgotten their password. Only an operator creates one for an operator.
   */
  createSignInLink(id: string, options: RequestOptions = {}): Promise<models.SignInLink> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/people/${segment(id)}/sign-in-links` },
      options,
    );
  }
}
