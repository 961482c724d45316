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
  /** Only of earlier versions: texts are kept in pieces. */
  content: { column: 'content', codec: sealedOrClear(orNull(text)) },
} as const;
