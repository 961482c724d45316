/* The records whose changes have entries in the audit log. */
import { accountRecords } from './accounts/accounts.ts';
import { agentRecords } from './agents/agents.ts';
import { apiKeyRecords } from './accounts/api-keys.ts';
import { auditLogRecords } from './audit/audit-log.ts';
import { avatarRecords } from './avatars/avatars.ts';
import type { Database } from './engine/database.ts';
import type { DiskSpace } from './engine/disk-space.ts';
import type { Encryptor } from './engine/encryption/encryptor.ts';
import type { Lists } from './engine/pages.ts';
import { transactReferences } from './engine/references.ts';
import { accountErasure } from './erasure/account-erasure.ts';
import { canaryRecords } from './fleet/canaries.ts';
import { cordonRecords } from './fleet/cordons.ts';
import { externalApiRecords } from './agents/external-apis.ts';
import { overflowRecords } from './overflow/overflows.ts';
import { knowledgeFileRecords } from './knowledge/knowledge-files.ts';
import { linkSecretRecords } from './agents/link-secrets.ts';
import { personRecords } from './people/people.ts';
import { accountDomainRecords } from './people/account-domains.ts';
import { personLinkRecords } from './people/person-links.ts';
import { signInRecords } from './people/sign-ins.ts';
import { webhookRecords } from './webhooks/webhooks.ts';
import { workerTokenRecords } from './worker-tokens.ts';

type Parts = { encryptor: Encryptor; lists: Lists; space: DiskSpace };

export type AuditedRecords = ReturnType<typeof auditedRecords>;

/** Runs in one transaction, perhaps twice. Use only the records that `run` gets. */
export type TransactAudited = <Result>(
  run: (records: AuditedRecords) => Promise<Result>,
) => Promise<Result>;

export const auditedRecords = (db: Database, { encryptor, lists, space }: Parts) => ({
  accountDomains: accountDomainRecords(db, lists),
  accountErasure: accountErasure(db),
  accounts: accountRecords(db),
  agents: agentRecords(db, encryptor, lists),
  apiKeys: apiKeyRecords(db),
  auditLog: auditLogRecords(db, encryptor, lists),
  avatars: avatarRecords(db, lists),
  canaries: canaryRecords(db),
  cordons: cordonRecords(db),
  externalApis: externalApiRecords(db, encryptor, lists),
  knowledgeFiles: knowledgeFileRecords(db, encryptor, lists, space),
  linkSecrets: linkSecretRecords(db, encryptor),
  overflows: overflowRecords(db, encryptor),
  people: personRecords(db, lists),
  personLinks: personLinkRecords(db, lists),
  signIns: signInRecords(db),
  webhooks: webhookRecords(db, encryptor, lists),
  workerTokens: workerTokenRecords(db, lists),
});

export const transactAudited =
  (db: Database, parts: Parts): TransactAudited =>
  (run) =>
    transactReferences(db, (trx) => run(auditedRecords(trx, parts)));
