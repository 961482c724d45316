import { number, sealed, text, textOf } from './columns.ts';

export const EXTERNAL_API_TYPES = [
  'openai_compatible_llm',
  'openai_compatible_stt',
  'openai_compatible_tts',
  'openai_compatible_embeddings',
] as const;
export type ExternalApiType = (typeof EXTERNAL_API_TYPES)[number];

export const externalApiColumns = {
  id: { column: 'id', codec: text },
  accountId: { column: 'account_id', codec: text },
  type: { column: 'type', codec: textOf<ExternalApiType>() },
  name: { column: 'name', codec: text },
  url: { column: 'url', codec: text },
  createdAt: { column: 'created_at', codec: number },
} as const;

export const keyedApiColumns = {
  ...externalApiColumns,
  apiKey: { column: 'api_key_sealed', codec: sealed(text) },
} as const;
