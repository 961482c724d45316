import { newRecordId } from '#shared/ids.ts';
import type { Database } from '../engine/database.ts';

/** A browser that is signed in to the console. */
export type SignInRecord = {
  id: string;
  personId: string;
  passwordTag: string;
  address: string;
  userAgent: string;
  createdAt: number;
  rotatedAt: number;
  /** Accurate to a minute. */
  lastSeenAt: number;
};

type NewSignIn = Omit<SignInRecord, 'id' | 'rotatedAt' | 'lastSeenAt'> & {
  /** SHA-256 of the cookie in hex. */
  hash: string;
};

export interface SignInRecords {
  add(signIn: NewSignIn): Promise<SignInRecord>;
  find(id: string): Promise<SignInRecord | null>;
  /** By the hash of the current cookie, or of the one before. */
  findByHash(hash: string): Promise<(SignInRecord & { isCurrent: boolean }) | null>;
  /** Most recently seen first. */
  of(personId: string): Promise<SignInRecord[]>;
  /** False if another request was first. */
  rotate(id: string, from: string, to: string, now: number): Promise<boolean>;
  seen(id: string, now: number): Promise<void>;
  setPasswordTag(id: string, tag: string): Promise<void>;
  /** False if the person has no such sign-in. */
  remove(personId: string, id: string): Promise<boolean>;
  /** All of the person but `keptId`. False if there was none. */
  removeAll(personId: string, keptId?: string): Promise<boolean>;
  /** Deletes those created or last seen before. */
  removeOlder(than: { createdAt: number; lastSeenAt: number }): Promise<void>;
}

const columns = [
  'id',
  'person_id as personId',
  'password_tag as passwordTag',
  'address',
  'user_agent as userAgent',
  'created_at as createdAt',
  'rotated_at as rotatedAt',
  'last_seen_at as lastSeenAt',
] as const;

export function signInRecords(db: Database): SignInRecords {
  return {
    async add({ hash, ...signIn }) {
      const id = newRecordId();
      const { personId, passwordTag, address, userAgent, createdAt } = signIn;
      await db
        .insertInto('sign_ins')
        .values({
          id,
          person_id: personId,
          hash,
          password_tag: passwordTag,
          address,
          user_agent: userAgent,
          created_at: createdAt,
          rotated_at: createdAt,
          last_seen_at: createdAt,
        })
        .execute();
      return { id, ...signIn, rotatedAt: createdAt, lastSeenAt: createdAt };
    },

    async find(id) {
      const row = await db
        .selectFrom('sign_ins')
        .select(columns)
        .where('id', '=', id)
        .executeTakeFirst();
      return row ?? null;
    },

    async findByHash(hash) {
      const row = await db
        .selectFrom('sign_ins')
        .select([...columns, 'hash'])
        .where((signIn) => signIn.or([signIn('hash', '=', hash), signIn('former_hash', '=', hash)]))
        .executeTakeFirst();
      if (!row) return null;
      const { hash: current, ...signIn } = row;
      return { ...signIn, isCurrent: current === hash };
    },

    of: (personId) =>
      db
        .selectFrom('sign_ins')
        .select(columns)
        .where('person_id', '=', personId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    async rotate(id, from, to, now) {
      const { numUpdatedRows } = await db
        .updateTable('sign_ins')
        .set({ hash: to, former_hash: from, rotated_at: now, last_seen_at: now })
        .where('id', '=', id)
        .where('hash', '=', from)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async seen(id, now) {
      await db.updateTable('sign_ins').set({ last_seen_at: now }).where('id', '=', id).execute();
    },

    async setPasswordTag(id, tag) {
      await db.updateTable('sign_ins').set({ password_tag: tag }).where('id', '=', id).execute();
    },

    async remove(personId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('sign_ins')
        .where('id', '=', id)
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async removeAll(personId, keptId = '') {
      const { numDeletedRows } = await db
        .deleteFrom('sign_ins')
        .where('person_id', '=', personId)
        .where('id', '<>', keptId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async removeOlder({ createdAt, lastSeenAt }) {
      await db
        .deleteFrom('sign_ins')
        .where((signIn) =>
          signIn.or([
            signIn('created_at', '<', createdAt),
            signIn('last_seen_at', '<', lastSeenAt),
          ]),
        )
        .execute();
    },
  };
}
