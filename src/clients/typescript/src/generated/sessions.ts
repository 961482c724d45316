// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import type { SessionEvents, StreamOptions } from '../session-events.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type SessionsListParams = {
  limit?: number;
  status?: 'to_start' | 'ongoing' | 'completed';
  /** The id or an alias of an avatar. */
  avatar_id?: string;
  transport?: 'mediaserver' | 'botroom';
  end_reason?:
    | 'agent_left'
    | 'room_empty'
    | 'room_closed'
    | 'room_refused'
    | 'removed'
    | 'replaced'
    | 'ended_by_client'
    | 'time_limit'
    | 'budget_reached'
    | 'never_started'
    | 'token_expired'
    | 'worker_lost'
    | 'service_stopped';
  /** The beginning of the id. */
  q?: string;
  /** Created at or after this time. */
  from?: string;
  /** Created before this time. */
  to?: string;
};

export class SessionsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create speech-to-video session. */
  create(body: models.SessionRequest, options: RequestOptions = {}): Promise<models.OpenedSession> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/sessions', body, takesKey: true },
      options,
    );
  }

  /**
   * List speech-to-video sessions. Most recent first. A cursor is valid only with the filters it was
   * created with.
   */
  list(query: SessionsListParams = {}, options: RequestOptions = {}): Pages<models.Session> {
    return this.#transport.pages({ method: 'GET', path: '/v1/sessions', query }, options);
  }

  /** Retrieve speech-to-video session. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.Session> {
    return this.#transport.json({ method: 'GET', path: `/v1/sessions/${segment(id)}` }, options);
  }

  /**
   * Change picture of speech-to-video session. Framing, background and emotion change at once,
   * without a new track; the framing moves smoothly. Size and frame rate stay, and a session does
   * not become transparent, or stop to be. Framing and background outlast a change of the worker.
   * 409 when the session is over, or its worker is of a version that cannot change the picture.
   */
  update(
    id: string,
    body: models.SessionChanges,
    options: RequestOptions = {},
  ): Promise<models.Session> {
    return this.#transport.json(
      { method: 'PATCH', path: `/v1/sessions/${segment(id)}`, body },
      options,
    );
  }

  /**
   * Delete speech-to-video session. Deletes a completed session with its timeline and its webhook
   * events, delivered or not. Its minutes still count.
   */
  delete(id: string, options: RequestOptions = {}): Promise<models.DeletionReceipt> {
    return this.#transport.json({ method: 'DELETE', path: `/v1/sessions/${segment(id)}` }, options);
  }

  /**
   * End speech-to-video session. The avatar leaves the room. A session that has already ended is
   * returned unchanged.
   */
  end(id: string, options: RequestOptions = {}): Promise<models.Session> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/sessions/${segment(id)}/end` },
      options,
    );
  }

  /**
   * Create botroom token. Another token for the client of a botroom, to connect again when its first
   * one has expired. It is valid for ten minutes. Earlier tokens stay valid until they expire.
   */
  createToken(id: string, options: RequestOptions = {}): Promise<models.BotroomToken> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/sessions/${segment(id)}/token` },
      options,
    );
  }

  /**
   * Follow speech-to-video session. Server-sent events: first `session` with the current state, then
   * `session.started` and `session.ended` as they happen. The data of each is the session. The
   * stream ends when the session is completed. Lines that start with a colon keep the connection
   * open. A key may hold EVENT_STREAMS_PER_KEY streams; they end when it is revoked, expires or may
   * no longer read sessions.
   */
  events(id: string, options: StreamOptions = {}): SessionEvents {
    return this.#transport.events(
      { method: 'GET', path: `/v1/sessions/${segment(id)}/events` },
      options,
    );
  }

  /**
   * Retrieve timeline of speech-to-video session. Events of the session in the order they happened,
   * at most 1000; `left_out` counts the rest. Events of the last second may be missing.
   */
  timeline(id: string, options: RequestOptions = {}): Promise<models.Timeline> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/sessions/${segment(id)}/timeline` },
      options,
    );
  }

  /**
   * Retrieve still of speech-to-video session. A small JPEG of what the avatar shows, at most a few
   * seconds old: ask again every five seconds. The worker takes it when you ask; it is kept in
   * memory for seconds and stored nowhere. Of a session that belongs to a call only if `call_stills`
   * of the account permits it. 409 while there is none: the session is not live, or its worker takes
   * no stills.
   */
  still(id: string, options: RequestOptions = {}): Promise<Response> {
    return this.#transport.raw(
      { method: 'GET', path: `/v1/sessions/${segment(id)}/still` },
      options,
    );
  }
}
