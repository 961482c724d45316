import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { accountLists } from './accounts/account-lists.ts';
import { auditedRecords, transactAudited } from './audited-records.ts';
import { avatarBuildRecords } from './avatars/avatar-builds.ts';
import { blobFiles, blobRecords } from './blobs.ts';
import { callMessageRecords } from './calls/call-messages.ts';
import { callRecords } from './calls/calls.ts';
import { deliveryRecords } from './webhooks/deliveries.ts';
import { deliveryQueue } from './webhooks/delivery-queue.ts';
import { checkDatabase } from './engine/check-database.ts';
import { openDatabase } from './engine/database.ts';
import { boundless, diskSpace } from './engine/disk-space.ts';
import { Lists } from './engine/pages.ts';
import { reusableBytes } from './engine/sqlite.ts';
import { fleetHistory } from './history/fleet-history.ts';
import { spendingRecords } from './calls/spending.ts';
import { sessionHistory } from './sessions/session-history.ts';
import { erasureOnRequest } from './erasure/erasure-on-request.ts';
import { retentionRecords } from './erasure/retention.ts';
import { KeyUpkeep } from './keys/key-upkeep.ts';
import type { KeySource } from './keys/key-source.ts';
import { openKeyring } from './keys/open-keyring.ts';
import { metricHistory } from './history/metric-history.ts';
import { lastMigration, LAST_MIGRATION, migrate } from './migrations/migrate.ts';
import { createOutbox, type OutboxParts } from './webhooks/outbox.ts';
import { outsideSessionRecords } from './overflow/outside-sessions.ts';
import { passageVectorRecords } from './knowledge/passage-vectors.ts';
import { replyRecords } from './replies.ts';
import { sessionFeed } from './sessions/session-feed.ts';
import { sessionRecords, type SessionWatcher } from './sessions/sessions.ts';
import { timelineRecords } from './sessions/timelines.ts';
import { usageRecords } from './sessions/usage.ts';
import { staleUploadRecords } from './knowledge/stale-uploads.ts';

type RecordsOptions = {
  place: { url: string } | { dataDir: string };
  keys: KeySource;
  /** Reserve on the disk of `place`. */
  minFreeBytes: number;
  clock: Clock;
  log: Log;
};

export type Records = Awaited<ReturnType<typeof openRecords>>;

/** Opens and migrates the database. Close it after everything that uses records. */
export async function openRecords({ place, keys, minFreeBytes, clock, log }: RecordsOptions) {
  const database = openDatabase(place);
  const migrations = await migrate(database);
  if (migrations.length > 0) log.info({ migrations }, 'records migrated');
  const newest = await lastMigration(database);
  if (newest !== null && newest > LAST_MIGRATION)
    log.warn({ newest, own: LAST_MIGRATION }, 'records of a newer version');
  const { keyring, encryptor, signingSecret } = await openKeyring(database, keys, clock.now());
  const lists = new Lists(signingSecret);
  const files = blobFiles(place);
  const upkeep = new KeyUpkeep({ db: database, files, keyring, encryptor, clock, log });
  const space =
    'url' in place
      ? boundless
      : diskSpace({
          folder: place.dataDir,
          minFreeBytes,
          db: database,
          reusableBytes,
          log,
        });
  const audited = { encryptor, lists, space };
  return {
    signingSecret,
    ...auditedRecords(database, audited),
    transactAudited: transactAudited(database, audited),
    accountLists: accountLists(database, lists),
    avatarBuilds: avatarBuildRecords(database),
    blobs: blobRecords(database, encryptor, files, space),
    callMessages: callMessageRecords(database, encryptor, lists),
    calls: callRecords(database, encryptor, lists),
    deliveries: deliveryRecords(database, encryptor, lists),
    deliveryQueue: deliveryQueue(database, encryptor),
    diskSpace: space,
    erasureOnRequest: erasureOnRequest(database),
    outsideSessions: outsideSessionRecords(database),
    passageVectors: passageVectorRecords(database, encryptor),
    replies: replyRecords(database, encryptor),
    staleUploads: staleUploadRecords(database),
    retention: retentionRecords(database),
    fleetHistory: fleetHistory(database),
    metricHistory: metricHistory(database),
    spending: spendingRecords(database),
    sessionHistory: sessionHistory(database),
    sessionFeed: sessionFeed(database, encryptor),
    timelines: timelineRecords(database),
    usage: usageRecords(database),
    createOutbox: (onQueued: OutboxParts['onQueued']) =>
      createOutbox({ database, encryptor, lists, clock, onQueued }),
    /** The watchers run in the transaction of each change of state. */
    createSessions: (watchers: SessionWatcher[]) =>
      sessionRecords(database, encryptor, lists, watchers),
    /** For readiness. `disk` is null where the records are on another machine. */
    checks: {
      database: () => checkDatabase(database, place),
      disk: 'url' in place ? null : () => space.check(),
    },
    migrations: { own: LAST_MIGRATION, newest: () => lastMigration(database) },
    /** Follows key rotations. */
    start: () => upkeep.start(),
    async close() {
      await upkeep.close();
      await database.destroy();
    },
  };
}
