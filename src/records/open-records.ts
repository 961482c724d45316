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
import { openBlobs } from './blobs.ts';
import { callMessageRecords } from './call-messages.ts';
import { callRecords } from './calls.ts';
import { deliveryRecords } from './deliveries.ts';
import { deliveryQueue } from './delivery-queue.ts';
import { openDatabase } from './engine/database.ts';
import { boundless, diskSpace } from './engine/disk-space.ts';
import { createEncryptor, secretKey } from './engine/encryptor.ts';
import { Lists } from './engine/pages.ts';
import { reusableBytes } from './engine/sqlite.ts';
import { accountErasure } from './erasure/account-erasure.ts';
import { erasureOnRequest } from './erasure/erasure-on-request.ts';
import { retentionRecords } from './erasure/retention.ts';
import { externalApiRecords } from './external-apis.ts';
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
  /** Holds the secret key if none is given. */
  dataDir: string;
  secretKey: string | undefined;
  /** Reserve on the disk of `place`. */
  minFreeBytes: number;
  clock: Clock;
  log: Log;
};

export type Records = Awaited<ReturnType<typeof openRecords>>;

/** Opens and migrates the database. Close it after everything that uses records. */
export async function openRecords({
  place,
  dataDir,
  secretKey: given,
  minFreeBytes,
  clock,
  log,
}: RecordsOptions) {
  const database = openDatabase(place);
  const migrations = await migrate(database);
  if (migrations.length > 0) log.info({ migrations }, 'records migrated');
  const secret = secretKey(given, dataDir);
  const encryptor = createEncryptor(secret);
  const lists = new Lists(secret);
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
    secret,
    accounts: accountRecords(database),
    accountErasure: accountErasure(database),
    accountLists: accountLists(database, lists),
    admins: adminRecords(database, lists),
    agents: agentRecords(database, lists),
    apiKeys: apiKeyRecords(database),
    auditLog: auditLogRecords(database, encryptor, lists),
    avatarBuilds: avatarBuildRecords(database),
    avatars: avatarRecords(database, lists),
    blobs: openBlobs(database, place, space),
    callMessages: callMessageRecords(database, lists),
    calls: callRecords(database, encryptor, lists),
    deliveries: deliveryRecords(database, lists),
    deliveryQueue: deliveryQueue(database, encryptor),
    diskSpace: space,
    erasureOnRequest: erasureOnRequest(database),
    externalApis: externalApiRecords(database, encryptor, lists),
    linkSecrets: linkSecretRecords(database, encryptor),
    knowledgeFiles: knowledgeFileRecords(database, lists, space),
    passageVectors: passageVectorRecords(database),
    replies: replyRecords(database, encryptor),
    staleUploads: staleUploadRecords(database),
    retention: retentionRecords(database),
    timelines: timelineRecords(database),
    usage: usageRecords(database),
    webhooks: webhookRecords(database, encryptor, lists),
    workerTokens: workerTokenRecords(database, lists),
    createOutbox: (onQueued: OutboxParts['onQueued']) =>
      createOutbox({ database, lists, clock, onQueued }),
    /** The watchers run in the transaction of each change of state. */
    createSessions: (watchers: SessionWatcher[]) =>
      sessionRecords(database, encryptor, lists, watchers),
    close: () => database.destroy(),
  };
}
