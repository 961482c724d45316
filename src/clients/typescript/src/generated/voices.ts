// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export class VoicesResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List voices. Voices for agents without `tts`. The first is the default of avatars whose `voice`
   * is null.
   */
  list(options: RequestOptions = {}): Promise<models.VoiceList> {
    return this.#transport.json({ method: 'GET', path: '/v1/voices' }, options);
  }
}
