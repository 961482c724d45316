import type { Database } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

/** Secrets of private agents. Each signs the links to its agent. Encrypted at rest. */
export interface LinkSecretRecords {
  /** Null: the agent is public, or there is none. Ignores the owner. */
  find(agentId: string): Promise<string | null>;
  /** Null makes the agent public. False if the account has no such agent. */
  set(accountId: string, agentId: string, secret: string | null): Promise<boolean>;
}

export const linkSecretRecords = (db: Database, encryptor: Encryptor): LinkSecretRecords => ({
  async find(agentId) {
    const row = await db
      .selectFrom('agents')
      .select('link_secret_sealed')
      .where('id', '=', agentId)
      .executeTakeFirst();
    const sealed = row?.link_secret_sealed ?? null;
    return sealed === null ? null : encryptor.decrypt(sealed, placeIn(agentId));
  },

  async set(accountId, agentId, secret) {
    const { numUpdatedRows } = await db
      .updateTable('agents')
      .set({
        link_secret_sealed: secret === null ? null : encryptor.encrypt(secret, placeIn(agentId)),
      })
      .where('account_id', '=', accountId)
      .where('id', '=', agentId)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },
});

const placeIn = (agentId: string): string => placeOf('agents', 'link_secret_sealed', agentId);
