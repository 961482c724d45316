// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type InvitationsListParams = {
  limit?: number;
};

export class InvitationsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Invite person. The invited person opens the link, chooses a password and joins the account. A
   * caller whose scopes are limited cannot give a role with other scopes.
   */
  create(
    body: models.InvitationRequest,
    options: RequestOptions = {},
  ): Promise<models.MadeInvitation> {
    return this.#transport.json({ method: 'POST', path: '/v1/invitations', body }, options);
  }

  /** List invitations. Those that are still open, most recent first. */
  list(query: InvitationsListParams = {}, options: RequestOptions = {}): Pages<models.Invitation> {
    return this.#transport.pages({ method: 'GET', path: '/v1/invitations', query }, options);
  }

  /** Withdraw invitation. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/invitations/${segment(id)}` },
      options,
    );
  }
}
