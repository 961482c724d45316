/*
 * The tables. Times are milliseconds since the epoch. JSON is stored as text in both databases.
 */
import type { Generated } from 'kysely';
import type {
  AccountDeletionsTable,
  AccountDomainsTable,
  AccountsTable,
  ApiKeysTable,
  DeletedUsageTable,
  PeopleTable,
  PersonLinksTable,
  SignInsTable,
} from './account-tables.ts';
import type { auditColumns } from './audit-columns.ts';
import type { avatarColumns } from './avatar-columns.ts';
import type { callColumns, callMessageColumns } from './call-columns.ts';
import type { RowOf } from './columns.ts';
import type { keyedApiColumns } from './external-api-columns.ts';
import type {
  KnowledgeChunksTable,
  KnowledgeFilesTable,
  KnowledgeTextsTable,
  PassageVectorsTable,
} from './knowledge-tables.ts';
import type { outsideSessionColumns, overflowColumns } from './overflow-columns.ts';
import type { sessionColumns } from './session-columns.ts';
import type { deliveryColumns, webhookColumns } from './webhook-columns.ts';
import type { workerTokenColumns } from './worker-token-columns.ts';

export type SessionsTable = RowOf<typeof sessionColumns> & {
  former_worker_id: string | null;
  /** Microseconds, rising with each insert. Orders lists. */
  listed_at: number;
};

type RepliesTable = {
  account_id: string;
  idempotency_key: string;
  request_hash: string;
  status: number;
  body_sealed: string;
  created_at: number;
};

type ExternalApisTable = RowOf<typeof keyedApiColumns> & { listed_at: number };

export type AgentsTable = {
  id: string;
  account_id: string;
  name: string;
  avatar_id: string;
  settings: string;
  external_api_id: string | null;
  stt_api_id: string | null;
  tts_api_id: string | null;
  embeddings_api_id: string | null;
  link_secret_sealed: Generated<string | null>;
  logo_hash: Generated<string | null>;
  created_at: number;
  listed_at: number;
};

type AgentKnowledgeFilesTable = { agent_id: string; file_id: string; position: number };

export type AvatarsTable = RowOf<typeof avatarColumns> & { listed_at: number };

type BlobsTable = {
  /** SHA-256 in hex. */
  hash: string;
  size: number;
  /** Null if the bytes are in a file. */
  bytes: Uint8Array | null;
  kept_at: number;
};

export type CallsTable = RowOf<typeof callColumns> & {
  /** When the call ended, if it still waits for its evaluation. */
  to_evaluate_since: number | null;
  listed_at: number;
};

type CallMessagesTable = RowOf<typeof callMessageColumns> & { listed_at: number };

type WebhooksTable = RowOf<typeof webhookColumns> & { listed_at: number };

type EventsTable = {
  id: string;
  account_id: string;
  type: string;
  payload: string;
  created_at: number;
};

export type DeliveriesTable = RowOf<typeof deliveryColumns> & {
  webhook_id: string;
  subject: string;
  listed_at: number;
};

type OverflowsTable = RowOf<typeof overflowColumns> & {
  api_key_sealed: string;
  changed_at: number;
};

export type TimelinePartsTable = {
  session_id: string;
  /** Later ones sort after earlier ones. */
  id: string;
  entries: string;
  /** Number of entries. */
  kept: number;
  /** Number of entries dropped. */
  left_out: number;
};

type AuditEntriesTable = RowOf<typeof auditColumns> & { listed_at: number };

export type CanariesTable = {
  id: string;
  pool: string;
  stable_pool: string;
  share_percent: number;
  started_at: number;
  stopped_at: number | null;
  canary_sessions: number;
  canary_failures: number;
  stable_sessions: number;
  stable_failures: number;
};

type CordonsTable = { worker_id: string; created_at: number };

export type SpendingTable = {
  /** `call ID`, `agent ID`, `link ID`, `account ID`, `address HASH`. */
  name: string;
  /** Start of its day; 0 for a call. */
  period: number;
  model_tokens: number;
  speech_characters: number;
  seconds: number;
  texts: number;
  /** Keyed hash of the visitor's address; in rows of calls only. */
  visitor: string | null;
  expires_at: number;
};

type WorkerTokensTable = RowOf<typeof workerTokenColumns> & {
  /** SHA-256 of the token in hex. */
  hash: string;
};

type FleetHistoryTable = {
  step_seconds: number;
  /** The beginning of the step. */
  at: number;
  samples: number;
  /** Sums of the samples. */
  workers: number;
  slots: number;
  taken: number;
  waiting: number;
  /** The highest of the samples. */
  taken_peak: number;
  waiting_peak: number;
};

type MetricHistoryTable = { step_seconds: number; at: number; name: string; count: number };

export type EncryptionKeysTable = {
  id: string;
  activated_at: number;
  completed_at: Generated<number | null>;
  retired_at: Generated<number | null>;
};

type ServiceSecretsTable = { name: string; value_sealed: string };

export type Tables = {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  sessions: SessionsTable;
  replies: RepliesTable;
  external_apis: ExternalApisTable;
  knowledge_files: KnowledgeFilesTable;
  knowledge_chunks: KnowledgeChunksTable;
  knowledge_texts: KnowledgeTextsTable;
  passage_vectors: PassageVectorsTable;
  agents: AgentsTable;
  agent_knowledge_files: AgentKnowledgeFilesTable;
  avatars: AvatarsTable;
  blobs: BlobsTable;
  calls: CallsTable;
  call_messages: CallMessagesTable;
  spending: SpendingTable;
  webhooks: WebhooksTable;
  events: EventsTable;
  deliveries: DeliveriesTable;
  worker_tokens: WorkerTokensTable;
  canaries: CanariesTable;
  cordons: CordonsTable;
  overflows: OverflowsTable;
  outside_sessions: RowOf<typeof outsideSessionColumns>;
  fleet_history: FleetHistoryTable;
  metric_history: MetricHistoryTable;
  timeline_parts: TimelinePartsTable;
  audit_entries: AuditEntriesTable;
  deleted_usage: DeletedUsageTable;
  account_deletions: AccountDeletionsTable;
  people: PeopleTable;
  account_domains: AccountDomainsTable;
  sign_ins: SignInsTable;
  person_links: PersonLinksTable;
  encryption_keys: EncryptionKeysTable;
  service_secrets: ServiceSecretsTable;
};
