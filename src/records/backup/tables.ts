import type { Tables } from '../engine/tables/tables.ts';

/** Rows read at once. */
const PAGE = 200;

type Table = {
  /** The primary key; null: the table has none. */
  key: readonly string[] | null;
  /** 1 for rows of many megabytes. Without a key all rows are read at once. */
  page: number;
};

const keyed = (...key: string[]): Table => ({ key, page: PAGE });
const keyless = (): Table => ({ key: null, page: Number.MAX_SAFE_INTEGER });
const large = (...key: string[]): Table => ({ key, page: 1 });

/**
 * Every table, after the tables that it refers to. Triggers fill `admins` of earlier versions from
 * `people`.
 */
const tables: { [Name in keyof Tables]: Table } = {
  encryption_keys: keyed('id'),
  service_secrets: keyed('name'),
  accounts: keyed('id'),
  account_deletions: keyed('account_id'),
  people: keyed('id'),
  account_domains: keyed('id'),
  sign_ins: keyed('id'),
  person_links: keyed('id'),
  audit_entries: keyed('id'),
  deleted_usage: keyless(),
  api_keys: keyed('id'),
  worker_tokens: keyed('id'),
  canaries: keyed('id'),
  cordons: keyed('worker_id'),
  overflows: keyed('pool'),
  outside_sessions: keyed('session_id', 'epoch'),
  fleet_history: keyed('step_seconds', 'at'),
  metric_history: keyed('step_seconds', 'at', 'name'),
  blobs: large('hash'),
  avatars: keyed('id'),
  external_apis: keyed('id'),
  knowledge_files: large('id'),
  knowledge_chunks: large('file_id', 'number'),
  knowledge_texts: large('text_id', 'number'),
  passage_vectors: large('file_id', 'space', 'number'),
  agents: keyed('id'),
  agent_knowledge_files: keyed('agent_id', 'file_id'),
  sessions: keyed('id'),
  timeline_parts: keyed('session_id', 'id'),
  replies: keyed('account_id', 'idempotency_key'),
  calls: keyed('id'),
  call_messages: keyed('id'),
  spending: keyed('name', 'period'),
  webhooks: keyed('id'),
  events: keyed('id'),
  deliveries: keyed('id'),
};

export const backedUpTables: readonly (Table & { name: string })[] = Object.entries(tables).map(
  ([name, table]) => ({ name, ...table }),
);
