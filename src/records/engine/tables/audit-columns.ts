import { json, number, orNull, sealed, text, textOf } from './columns.ts';

/** `command`: an npm script. `service`: this program, on its own. */
export const ACTOR_TYPES = ['key', 'admin', 'person', 'page', 'command', 'service'] as const;

const state = sealed(orNull(json<Record<string, unknown>>()));

export const auditColumns = {
  id: { column: 'id', codec: text },
  /** Null: a change of the installation. */
  accountId: { column: 'account_id', codec: orNull(text) },
  actorType: { column: 'actor_type', codec: textOf<(typeof ACTOR_TYPES)[number]>() },
  /** Null for the shared admin password and for everything that has no record. */
  actorId: { column: 'actor_id', codec: orNull(text) },
  actorName: { column: 'actor_name', codec: orNull(text) },
  /** IP address of the request; null for commands. */
  address: { column: 'address', codec: orNull(text) },
  /** For example `agent.updated`. */
  action: { column: 'action', codec: text },
  targetId: { column: 'target_id', codec: orNull(text) },
  before: { column: 'before_sealed', codec: state },
  after: { column: 'after_sealed', codec: state },
  /** Milliseconds since the epoch. */
  createdAt: { column: 'created_at', codec: number },
} as const;
