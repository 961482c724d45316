// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type AvatarsListParams = {
  limit?: number;
};

export class AvatarsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List avatars. Built-in avatars first, then your own, most recent first. */
  list(query: AvatarsListParams = {}, options: RequestOptions = {}): Pages<models.Avatar> {
    return this.#transport.pages({ method: 'GET', path: '/v1/avatars', query }, options);
  }

  /**
   * Create avatar. Builds an avatar from a photo in the background. `progress` rises until the
   * avatar is `ready` (webhook event `avatar.ready`) or `failed`, with a reason and advice. The plan
   * limits how many an account may have.
   */
  create(body: models.AvatarRequest, options: RequestOptions = {}): Promise<models.Avatar> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/avatars', body, bodyType: 'form', takesKey: true },
      options,
    );
  }

  /** Retrieve avatar. Your own avatars include build progress, or why the build failed. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.Avatar> {
    return this.#transport.json({ method: 'GET', path: `/v1/avatars/${segment(id)}` }, options);
  }

  /**
   * Delete avatar. Deletes one of your own avatars with its picture and all files built from it.
   * Refused while an agent or a session uses it; the error names them.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/avatars/${segment(id)}` },
      options,
    );
  }

  /**
   * Retrieve contact sheet of avatar. The mouth shapes, eyes and expressions of the avatar in one
   * picture. A worker draws it when you ask. 409 while the avatar is not ready, 503 while no worker
   * can draw it.
   */
  sheet(id: string, options: RequestOptions = {}): Promise<models.ContactSheet> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/avatars/${segment(id)}/sheet` },
      options,
    );
  }
}
