import { Migrator } from 'kysely/migration';
import type { Database } from '../engine/database.ts';
import * as accountsAndSessions from './0001-accounts-and-sessions.ts';
import * as wholeInterface from './0002-whole-interface.ts';
import * as photoAvatars from './0003-photo-avatars.ts';
import * as leanerSessionIndexes from './0004-leaner-session-indexes.ts';
import * as fleet from './0005-fleet.ts';
import * as managedCalls from './0006-managed-calls.ts';
import * as timelines from './0007-timelines.ts';
import * as managedAgents from './0008-managed-agents.ts';
import * as oneSessionARoom from './0009-one-session-a-room.ts';
import * as workerTokenLimits from './0010-worker-token-limits.ts';
import * as visitorsAndPrivateAgents from './0011-visitors-and-private-agents.ts';
import * as storedBytes from './0012-stored-bytes.ts';
import * as auditLog from './0013-audit-log.ts';
import * as keyLimits from './0014-key-limits.ts';
import * as webhookSecretOverlap from './0015-webhook-secret-overlap.ts';
import * as erasure from './0016-erasure.ts';
import * as admins from './0017-admins.ts';
import * as endDetails from './0018-end-details.ts';
import * as encryptionKeys from './0019-encryption-keys.ts';
import * as speechSources from './0020-speech-sources.ts';
import { DatabaseUnreachable } from '../engine/postgres.ts';

/** In order. Never edit a released migration. */
export const migrations = {
  '0001-accounts-and-sessions': accountsAndSessions,
  '0002-whole-interface': wholeInterface,
  '0003-photo-avatars': photoAvatars,
  '0004-leaner-session-indexes': leanerSessionIndexes,
  '0005-fleet': fleet,
  '0006-managed-calls': managedCalls,
  '0007-timelines': timelines,
  '0008-managed-agents': managedAgents,
  '0009-one-session-a-room': oneSessionARoom,
  '0010-worker-token-limits': workerTokenLimits,
  '0011-visitors-and-private-agents': visitorsAndPrivateAgents,
  '0012-stored-bytes': storedBytes,
  '0013-audit-log': auditLog,
  '0014-key-limits': keyLimits,
  '0015-webhook-secret-overlap': webhookSecretOverlap,
  '0016-erasure': erasure,
  '0017-admins': admins,
  '0018-end-details': endDetails,
  '0019-encryption-keys': encryptionKeys,
  '0020-speech-sources': speechSources,
};

/** Runs pending migrations in one transaction, up to `last`. Returns their names. */
export async function migrate(db: Database, last?: string): Promise<string[]> {
  const migrator = migratorOf(db);
  const { error, results } = await (last ? migrator.migrateTo(last) : migrator.migrateToLatest());
  if (error) throw explained(error);
  return (results ?? []).map((result) => result.migrationName);
}

/** Null for an empty database. */
export async function lastMigration(db: Database): Promise<string | null> {
  const known = await migratorOf(db).getMigrations();
  return known.findLast(({ executedAt }) => executedAt)?.name ?? null;
}

const migratorOf = (db: Database): Migrator =>
  new Migrator({ db, provider: { getMigrations: async () => migrations } });

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnreachable) return error;
  return new Error(`The records could not be migrated: ${error.message}`, { cause: error });
}
