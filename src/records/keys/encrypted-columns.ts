/*
 * Every encrypted column. `reencryption.ts` visits them, so a column that is missing here would
 * become unreadable when its key is removed.
 */
import type { Tables } from '../engine/tables/tables.ts';

type Columns = {
  readonly [Table in keyof Tables]?: {
    /** The primary key. */
    readonly key: readonly (keyof Tables[Table] & string)[];
    readonly text?: readonly (keyof Tables[Table] & string)[];
    readonly bytes?: readonly (keyof Tables[Table] & string)[];
  };
};

const columns = {
  sessions: {
    key: ['id'],
    text: ['room_token_sealed', 'renewed_token_sealed', 'speech_sealed'],
  },
  replies: { key: ['account_id', 'idempotency_key'], text: ['body_sealed'] },
  external_apis: { key: ['id'], text: ['api_key_sealed'] },
  overflows: { key: ['pool'], text: ['api_key_sealed'] },
  knowledge_files: { key: ['id'], text: ['content'] },
  knowledge_chunks: { key: ['file_id', 'number'], bytes: ['bytes'] },
  knowledge_texts: { key: ['text_id', 'number'], bytes: ['bytes'] },
  passage_vectors: { key: ['file_id', 'space', 'number'], bytes: ['codes'] },
  agents: { key: ['id'], text: ['settings', 'link_secret_sealed'] },
  calls: {
    key: ['id'],
    text: [
      'user_token_sealed',
      'user_name',
      'user_email',
      'tags',
      'evaluation',
      'agent',
      'rating_comment_sealed',
    ],
  },
  call_messages: { key: ['id'], text: ['message'] },
  webhooks: { key: ['id'], text: ['secret_sealed', 'former_secret_sealed'] },
  events: { key: ['id'], text: ['payload'] },
  blobs: { key: ['hash'], bytes: ['bytes'] },
  audit_entries: { key: ['id'], text: ['before_sealed', 'after_sealed'] },
  service_secrets: { key: ['name'], text: ['value_sealed'] },
} as const satisfies Columns;

export type EncryptedTable = keyof typeof columns;
type ColumnsOf<Name extends EncryptedTable> =
  | ((typeof columns)[Name] extends { text: readonly (infer Text)[] } ? Text : never)
  | ((typeof columns)[Name] extends { bytes: readonly (infer Bytes)[] } ? Bytes : never);

/** Authenticated with the value. `key`: the row's primary key. */
export function placeOf<Name extends EncryptedTable>(
  table: Name,
  column: ColumnsOf<Name>,
  ...key: (string | number)[]
): string {
  const row = [table, ...key].join('/');
  // The only encrypted columns of their tables in the first version.
  if (table === 'external_apis' || table === 'replies') return row;
  return `${row}/${String(column).replace(/_sealed$/, '')}`;
}

export type EncryptedColumn = {
  table: string;
  key: readonly string[];
  column: string;
  type: 'text' | 'bytes';
  placeOf: (key: (string | number)[]) => string;
};

export const encryptedColumns: readonly EncryptedColumn[] = Object.entries<{
  key: readonly string[];
  text?: readonly string[];
  bytes?: readonly string[];
}>(columns).flatMap(([table, { key, text = [], bytes = [] }]) =>
  [
    ...text.map((column) => ({ column, type: 'text' as const })),
    ...bytes.map((column) => ({ column, type: 'bytes' as const })),
  ].map((each): EncryptedColumn => ({
    table,
    key,
    ...each,
    placeOf: (values) => placeOf(table as EncryptedTable, each.column as never, ...values),
  })),
);
