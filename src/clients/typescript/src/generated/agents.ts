// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type AgentsListParams = {
  limit?: number;
};

export class AgentsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create agent. */
  create(body: models.AgentRequest, options: RequestOptions = {}): Promise<models.Agent> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/agents', body, takesKey: true },
      options,
    );
  }

  /** List agents. Most recent first. */
  list(query: AgentsListParams = {}, options: RequestOptions = {}): Pages<models.Agent> {
    return this.#transport.pages({ method: 'GET', path: '/v1/agents', query }, options);
  }

  /** Retrieve agent. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.Agent> {
    return this.#transport.json({ method: 'GET', path: `/v1/agents/${segment(id)}` }, options);
  }

  /** Update agent. */
  update(id: string, body: models.AgentChanges, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'PATCH', path: `/v1/agents/${segment(id)}`, body },
      options,
    );
  }

  /** Delete agent. Its calls are kept. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/agents/${segment(id)}` },
      options,
    );
  }

  /**
   * Make agent private. Creates the agent's link secret, or replaces it. From then on its room page
   * needs a link token, which your backend makes: a JWT (HS256) signed with the secret, with the
   * agent's id as `sub` and an `exp`. The link is `<chat_url>#token=<link token>`. Open calls go on.
   */
  createLinkSecret(id: string, options: RequestOptions = {}): Promise<models.LinkSecret> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/agents/${segment(id)}/link-secret` },
      options,
    );
  }

  /** Make agent public. Deletes its link secret. Anyone with the address can talk to it again. */
  deleteLinkSecret(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/agents/${segment(id)}/link-secret` },
      options,
    );
  }

  /**
   * Retrieve abilities of agent. Depends on the models of the agent and of the service, and on the
   * connected agent workers.
   */
  abilities(id: string, options: RequestOptions = {}): Promise<models.Abilities> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/agents/${segment(id)}/abilities` },
      options,
    );
  }
}
