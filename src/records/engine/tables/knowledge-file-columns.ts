import { number, orNull, sealedOrClear, text, textOf } from './columns.ts';

export const knowledgeFileColumns = {
  id: { column: 'id', codec: text },
  accountId: { column: 'account_id', codec: text },
  name: { column: 'name', codec: text },
  format: { column: 'format', codec: textOf<'text' | 'pdf'>() },
  status: { column: 'status', codec: textOf<'to-upload' | 'available'>() },
  createdAt: { column: 'created_at', codec: number },
} as const;

export const knowledgeTextColumns = {
  ...knowledgeFileColumns,
  /** For versions before migration 0032. A contract removes it: this one reads pieces. */
  content: { column: 'content', codec: sealedOrClear(orNull(text)) },
} as const;
