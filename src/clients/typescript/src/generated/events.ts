// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { SessionEvents, StreamOptions } from '../session-events.ts';
import type { Transport } from '../transport.ts';

export type EventsFollowParams = {
  /** For clients that cannot send the header. */
  last_event_id?: string;
};

export class EventsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Follow all sessions. Server-sent events of all sessions: `session.created`, `session.started`,
   * `session.ended`, and `session.changed` when its worker or its quality changes. The data of each
   * is the session. `hello` comes first. A client that reconnects with Last-Event-ID gets what it
   * missed; `reset` says that it was too much, so read the lists again. An event may come twice.
   * Within a second, also from other control planes.
   */
  follow(query: EventsFollowParams = {}, options: StreamOptions = {}): SessionEvents {
    return this.#transport.events({ method: 'GET', path: '/v1/events', query }, options);
  }
}
