/*
 * Opens the keyring and checks that it fits the records. A key is created only for records that
 * have never been encrypted, so that a lost key file is noticed at the start.
 */
import { sql } from 'kysely';
import { OperatorError } from '#shared/process/operator-error.ts';
import type { Database } from '../engine/database.ts';
import { createEncryptor, type Encryptor } from '../engine/encryption/encryptor.ts';
import { Keyring, keyIdOf } from '../engine/encryption/keyring.ts';
import { encryptedColumns, placeOf } from './encrypted-columns.ts';
import { keyRecords } from './key-records.ts';
import { newKey, type KeySource } from './key-source.ts';

export type OpenKeyring = {
  keyring: Keyring;
  encryptor: Encryptor;
  /** Signs cursors, room marks and tokens. Stored encrypted, and kept when keys rotate. */
  signingSecret: Buffer;
};

const SIGNING = 'signing';
const SIGNING_PLACE = placeOf('service_secrets', 'value_sealed', SIGNING);

/** Throws an error for the operator that names the wrong or missing key. */
export async function openKeyring(
  db: Database,
  source: KeySource,
  now: number,
): Promise<OpenKeyring> {
  const records = keyRecords(db);
  if ((await records.list()).length === 0) await encryptFirst(db, source, now);

  const knownKeys = await records.list();
  const givenIds = new Set(source.read().map(keyIdOf));
  const missing = knownKeys.filter(({ id, retiredAt }) => retiredAt === null && !givenIds.has(id));
  if (missing.length > 0)
    throw missingKeys(
      missing.map(({ id }) => id),
      source,
    );

  const keyring = new Keyring(source.read);
  const newest = knownKeys.at(-1);
  if (newest) keyring.use(newest.id);
  const encryptor = createEncryptor(keyring);
  const { value_sealed: sealed } = await db
    .selectFrom('service_secrets')
    .selectAll()
    .where('name', '=', SIGNING)
    .executeTakeFirstOrThrow();
  const signingSecret = Buffer.from(encryptor.decrypt(sealed, SIGNING_PLACE), 'base64');
  return { keyring, encryptor, signingSecret };
}

/** Records without a known key: new ones, or those of an earlier version, which had one key. */
async function encryptFirst(db: Database, source: KeySource, now: number): Promise<void> {
  const earlier = await earlierValue(db);
  if (source.read().length === 0) {
    if (earlier) throw unfitting(source);
    source.file?.create([newKey()]);
  }
  const earlierKey = earlier && source.read().find((key) => decrypts(key, earlier));
  if (earlier && !earlierKey) throw unfitting(source);
  // An earlier version signed with its key: its cursors and rooms stay valid.
  const signingSecret = earlierKey ?? newKey();
  const keyring = new Keyring(source.read);
  const sealed = createEncryptor(keyring).encrypt(signingSecret.toString('base64'), SIGNING_PLACE);
  await db.transaction().execute(async (trx) => {
    // If two control planes start at once, the second waits here and inserts nothing.
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('service_secrets')
      .values({ name: SIGNING, value_sealed: sealed })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) return;
    const account = await trx.selectFrom('accounts').select('id').executeTakeFirst();
    await trx
      .insertInto('encryption_keys')
      .values({
        id: keyring.current.id,
        activated_at: now,
        // Records without an account have no values to encrypt.
        completed_at: account ? null : now,
      })
      .execute();
  });
}

type EarlierValue = { value: string; place: string };

function decrypts(key: Buffer, { value, place }: EarlierValue): boolean {
  try {
    createEncryptor(new Keyring(() => [key])).decrypt(value, place);
    return true;
  } catch {
    return false;
  }
}

/** Any value that a version with one key encrypted. */
async function earlierValue(db: Database): Promise<EarlierValue | null> {
  for (const { table, key, column, type, placeOf: placeIn } of encryptedColumns) {
    if (type !== 'text' || !column.endsWith('_sealed')) continue;
    const { rows } = await sql<Record<string, string>>`
      select ${sql.join([...key, column].map((name) => sql.ref(name)))} from ${sql.table(table)}
      where ${sql.ref(column)} like 'v1.%' limit 1`.execute(db);
    const [row] = rows;
    const value = row?.[column];
    if (row && value) return { value, place: placeIn(key.map((name) => row[name] ?? '')) };
  }
  return null;
}

function missingKeys(ids: string[], source: KeySource): OperatorError {
  const [keys, are, them] = ids.length === 1 ? ['key', 'is', 'it'] : ['keys', 'are', 'them'];
  return new OperatorError(
    `The records are encrypted with the secret ${keys} ${ids.join(', ')}, which ${are} missing. ` +
      `${holdings(source)} Add ${them} and keep the others.`,
  );
}

const unfitting = (source: KeySource): OperatorError =>
  new OperatorError(
    `The records are encrypted with another secret key. ${holdings(source)} Give the key that was used so far.`,
  );

function holdings({ name, read }: KeySource): string {
  const ids = read().map(keyIdOf);
  return ids.length > 0 ? `${name} holds ${ids.join(', ')}.` : `${name} does not exist.`;
}
