import { Migrator, type Migration } from 'kysely/migration';
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
import * as canaries from './0021-canaries.ts';
import * as overflows from './0022-overflows.ts';
import * as people from './0023-people.ts';
import * as fleetHistory from './0024-fleet-history.ts';
import * as callStills from './0025-call-stills.ts';
import * as cordons from './0026-cordons.ts';
import * as metricHistory from './0027-metric-history.ts';
import * as adminsArePeople from './0028-admins-are-people.ts';
import * as waitsOfSessions from './0029-waits-of-sessions.ts';
import * as spending from './0030-spending.ts';
import * as peopleOfAccounts from './0031-people-of-accounts.ts';
import * as knowledgeTexts from './0032-knowledge-texts.ts';
import * as callRatings from './0033-call-ratings.ts';
import * as agentLogos from './0034-agent-logos.ts';
import { DatabaseUnreachable } from '../engine/postgres.ts';
import { executedMigrations, newerMigrations } from './newer-migrations.ts';

/** In order. Never edit a released migration. `newer-migrations.ts` says what one may do. */
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
  '0021-canaries': canaries,
  '0022-overflows': overflows,
  '0023-people': people,
  '0024-fleet-history': fleetHistory,
  '0025-call-stills': callStills,
  '0026-cordons': cordons,
  '0027-metric-history': metricHistory,
  '0028-admins-are-people': adminsArePeople,
  '0029-waits-of-sessions': waitsOfSessions,
  '0030-spending': spending,
  '0031-people-of-accounts': peopleOfAccounts,
  '0032-knowledge-texts': knowledgeTexts,
  '0033-call-ratings': callRatings,
  '0034-agent-logos': agentLogos,
};

/** The newest migration of this version. */
export const LAST_MIGRATION = Object.keys(migrations).at(-1)!;

/**
 * Runs pending migrations in one transaction, up to `target`. Returns their names. Those of newer
 * versions stay as they are.
 */
export async function migrate(db: Database, target?: string): Promise<string[]> {
  const executed = await executedMigrations(db).catch((error: unknown) => {
    throw explained(error);
  });
  const names = Object.keys(migrations);
  const newer = newerMigrations(executed, names);
  // The migrator looks at every table several times, also when nothing is pending.
  if (target === undefined && names.every((name, i) => executed[i] === name)) return [];
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations, ...placeholders(newer) }) },
  });
  const { error, results } = await (target
    ? migrator.migrateTo(target)
    : migrator.migrateToLatest());
  if (!error) return (results ?? []).map((result) => result.migrationName);
  // A newer version may have migrated since the first look.
  const now = await lastMigration(db).catch(() => null);
  if (now !== null && now > lastKnown(newer)) return migrate(db, target);
  throw explained(error);
}

/**
 * The newest migration of the database, also if it is of a newer version. Null for an empty one.
 */
export async function lastMigration(db: Database): Promise<string | null> {
  return (await executedMigrations(db)).at(-1) ?? null;
}

const lastKnown = (newer: string[]): string => newer.at(-1) ?? LAST_MIGRATION;

/** The migrator refuses executed migrations without a module. These never run. */
const placeholders = (names: string[]): Record<string, Migration> =>
  Object.fromEntries(names.map((name) => [name, { up: async () => {} }]));

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnreachable) return error;
  return new Error(`The records could not be migrated: ${error.message}`, { cause: error });
}
