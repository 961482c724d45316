import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { accountLists } from './account-lists.ts';
import { accountRecords } from './accounts.ts';
import { adminRecords } from './admins/admins.ts';
import { agentRecords } from './agents.ts';
import { apiKeyRecords } from './api-keys.ts';
import { auditLogRecords } from './audit/audit-log.ts';
import { avatarBuildRecords } from './avatar-builds.ts';
import { avatarRecords } from './avatars.ts';
import { blobFiles, blobRecords } from './blobs.ts';
import { callMessageRecords } from './call-messages.ts';
import { callRecords } from './calls.ts';
import { deliveryRecords } from './deliveries.ts';
import { deliveryQueue } from './delivery-queue.ts';
import { checkDatabase } from './engine/check-database.ts';
import { openDatabase } from './engine/database.ts';
import { boundless, diskSpace } from './engine/disk-space.ts';
import { Lists } from './engine/pages.ts';
import { reusableBytes } from './engine/sqlite.ts';
import { accountErasure } from './erasure/account-erasure.ts';
import { erasureOnRequest } from './erasure/erasure-on-request.ts';
import { retentionRecords } from './erasure/retention.ts';
import { externalApiRecords } from './external-apis.ts';
import { KeyUpkeep } from './keys/key-upkeep.ts';
import type { KeySource } from './keys/key-source.ts';
import { openKeyring } from './keys/open-keyring.ts';
import { knowledgeFileRecords } from './knowledge-files.ts';
import { linkSecretRecords } from './link-secrets.ts';
import { migrate } from './migrations/migrate.ts';
import { createOutbox, type OutboxParts } from './outbox.ts';
import { passageVectorRecords } from './passage-vectors.ts';
import { replyRecords } from './replies.ts';
import { sessionRecords, type SessionWatcher } from './sessions/sessions.ts';
import { timelineRecords } from './sessions/timelines.ts';
import { usageRecords } from './sessions/usage.ts';
import { staleUploadRecords } from './stale-uploads.ts';
import { webhookRecords } from './webhooks.ts';
import { workerTokenRecords } from './worker-tokens.ts';

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
          reusableBytes: () => reusableBytes(database),
          log,
        });
  return {
    signingSecret,
    accounts: accountRecords(database),
    accountErasure: accountErasure(database),
    accountLists: accountLists(database, lists),
    admins: adminRecords(database, lists),
    agents: agentRecords(database, encryptor, lists),
    apiKeys: apiKeyRecords(database),
    auditLog: auditLogRecords(database, encryptor, lists),
    avatarBuilds: avatarBuildRecords(database),
    avatars: avatarRecords(database, lists),
    blobs: blobRecords(database, encryptor, files, space),
    callMessages: callMessageRecords(database, encryptor, lists),
    calls: callRecords(database, encryptor, lists),
    deliveries: deliveryRecords(database, encryptor, lists),
    deliveryQueue: deliveryQueue(database, encryptor),
    diskSpace: space,
    erasureOnRequest: erasureOnRequest(database),
    externalApis: externalApiRecords(database, encryptor, lists),
    linkSecrets: linkSecretRecords(database, encryptor),
    knowledgeFiles: knowledgeFileRecords(database, encryptor, lists, space),
    passageVectors: passageVectorRecords(database, encryptor),
    replies: replyRecords(database, encryptor),
    staleUploads: staleUploadRecords(database),
    retention: retentionRecords(database),
    timelines: timelineRecords(database),
    usage: usageRecords(database),
    webhooks: webhookRecords(database, encryptor, lists),
    workerTokens: workerTokenRecords(database, lists),
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
    /** Follows key rotations. */
    start: () => upkeep.start(),
    async close() {
      await upkeep.close();
      await database.destroy();
    },
  };
}
