// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type ExternalApisListParams = {
  limit?: number;
};

export class ExternalApisResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create external API. */
  create(
    body: models.ExternalApiRequest,
    options: RequestOptions = {},
  ): Promise<models.ExternalApi> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/external-apis', body, takesKey: true },
      options,
    );
  }

  /** List external APIs. Most recent first. */
  list(
    query: ExternalApisListParams = {},
    options: RequestOptions = {},
  ): Pages<models.ExternalApi> {
    return this.#transport.pages({ method: 'GET', path: '/v1/external-apis', query }, options);
  }

  /** Retrieve external API. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.ExternalApi> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/external-apis/${segment(id)}` },
      options,
    );
  }

  /** Update external API. */
  update(id: string, body: models.ExternalApiChanges, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'PATCH', path: `/v1/external-apis/${segment(id)}`, body },
      options,
    );
  }

  /** Delete external API. Refused while an agent uses it; the error names the agents. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/external-apis/${segment(id)}` },
      options,
    );
  }

  /**
   * Check external API. Sends a test request with the stored key: a short question to a language
   * model, half a second of silence to speech to text, one word to text to speech or embeddings.
   */
  check(
    id: string,
    body: models.ExternalApiCheckRequest,
    options: RequestOptions = {},
  ): Promise<models.ExternalApiCheck> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/external-apis/${segment(id)}/check`, body },
      options,
    );
  }
}
