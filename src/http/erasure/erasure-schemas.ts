import Type, { type Static } from 'typebox';
import type { AccountDeletion } from '../../records/erasure/account-erasure.ts';
import { ERASED_KINDS, type Erased } from '../../records/erasure/erased.ts';
import { isoTime, Time } from '../resource/schema-parts.ts';

const Deleted = Type.Unsafe<Erased>(
  Type.Object(
    Object.fromEntries(ERASED_KINDS.map((kind) => [kind, Type.Optional(Type.Integer())])),
    { description: 'Numbers of deleted things, by kind.' },
  ),
);

export const DeletionReceipt = Type.Object(
  {
    id: Type.String({ description: 'The deleted resource.' }),
    receipt_id: Type.String({ format: 'uuid', description: 'Its entry in the audit log.' }),
    deleted_at: Time,
    deleted: Deleted,
  },
  { $id: 'DeletionReceipt' },
);

export const AccountDeletionBody = Type.Object(
  {
    account_id: Type.String({ format: 'uuid' }),
    requested_at: Time,
    completed_at: Type.Union([Time, Type.Null()], { description: 'Null while it runs.' }),
    deleted: Deleted,
  },
  { $id: 'AccountDeletion', description: 'Kept as a receipt after the account is gone.' },
);

export const toDeletionReceipt = (
  id: string,
  { receiptId, deletedAt, erased }: { receiptId: string; deletedAt: number; erased: Erased },
): Static<typeof DeletionReceipt> => ({
  id,
  receipt_id: receiptId,
  deleted_at: isoTime(deletedAt),
  deleted: erased,
});

export const toAccountDeletionBody = (
  deletion: AccountDeletion,
): Static<typeof AccountDeletionBody> => ({
  account_id: deletion.accountId,
  requested_at: isoTime(deletion.requestedAt),
  completed_at: deletion.completedAt === null ? null : isoTime(deletion.completedAt),
  deleted: deletion.deleted,
});
