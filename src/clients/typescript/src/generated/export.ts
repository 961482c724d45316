// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';

export class ExportResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Export account. Everything that belongs to the account as a tar archive: lists as lines of JSON
   * in the form of this API, texts of knowledge files, photos and built avatars. Secrets are left
   * out. One export at a time.
   */
  create(options: RequestOptions = {}): Promise<Response> {
    return this.#transport.raw({ method: 'POST', path: '/v1/export' }, options);
  }
}
