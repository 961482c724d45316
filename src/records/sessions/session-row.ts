import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import { sessionColumns, STATE_FIELDS } from '../engine/tables/session-columns.ts';

export type SessionRecord = RecordOf<typeof sessionColumns>;

export type SessionStateFields = Pick<SessionRecord, (typeof STATE_FIELDS)[number]>;

export const stateFieldsOf = (record: SessionRecord): SessionStateFields =>
  Object.fromEntries(STATE_FIELDS.map((field) => [field, record[field]])) as SessionStateFields;

export const sessionRows = (encryptor: Encryptor) =>
  recordRows(sessionColumns, { table: 'sessions', encryptor });
