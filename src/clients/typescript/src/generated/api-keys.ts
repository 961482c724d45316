// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type ApiKeysListParams = {
  limit?: number;
};

export class ApiKeysResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List own API keys. Most recent first, including revoked keys. */
  list(query: ApiKeysListParams = {}, options: RequestOptions = {}): Pages<models.ApiKey> {
    return this.#transport.pages({ method: 'GET', path: '/v1/api-keys', query }, options);
  }

  /**
   * Create own API key. A caller with scopes gives no others. A key that expires or is limited to
   * networks creates none.
   */
  create(body: models.OwnApiKeyRequest, options: RequestOptions = {}): Promise<models.MadeApiKey> {
    return this.#transport.json({ method: 'POST', path: '/v1/api-keys', body }, options);
  }

  /**
   * Change own API key. Omitted fields keep their values. Takes effect at once, on other control
   * planes within a second.
   */
  update(
    id: string,
    body: models.ApiKeyChanges,
    options: RequestOptions = {},
  ): Promise<models.ApiKey> {
    return this.#transport.json(
      { method: 'PATCH', path: `/v1/api-keys/${segment(id)}`, body },
      options,
    );
  }

  /**
   * Revoke own API key. Takes effect at once, on other control planes within a second. It cannot be
   * undone.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/api-keys/${segment(id)}` },
      options,
    );
  }
}
