/* Answers of the service, as far as the console shows them. */
import type { EndReason } from '#protocol/end-reasons.ts';
import type { TimelineKind } from '#protocol/timeline.ts';

export type Account = { call_stills: boolean };

export type SessionStatus =
  | { type: 'to_start' }
  | { type: 'ongoing'; started_at: string }
  | { type: 'completed'; started_at: string; ended_at: string };

export type Session = {
  id: string;
  transport: 'mediaserver' | 'botroom';
  avatar_id: string;
  call_id?: string;
  status: SessionStatus;
  url: string;
  created_at: string;
  end_reason?: EndReason;
  end_detail?: string;
  video: { width: number; height: number; fps: number };
  max_session_length_minutes?: number;
  metadata: Record<string, string>;
};

export type TimelineEntry = {
  at: string;
  kind: TimelineKind;
} & Partial<
  Record<'epoch' | 'segment' | 'segments' | 'waited_ms' | 'took_ms' | 'gap_ms', number> &
    Record<'frame_rate' | 'missed_frames' | 'position_seconds', number> &
    Record<'worker_id' | 'from_worker_id' | 'to_worker_id', string> &
    Record<'quality' | 'cause' | 'reason' | 'detail', string>
> & { interrupted?: boolean };

export type Timeline = { data: TimelineEntry[]; left_out: number };

export type Call = {
  id: string;
  agent_id: string;
  user_name: string | null;
  evaluation: { topic: string; user_sentiment: string; messages_count: number } | null;
};

type MessageLatency = Record<
  'transcript_ms' | 'first_token_ms' | 'first_audio_ms' | 'first_frame_ms',
  number | null
>;

export type CallMessage = {
  message: string;
  sent_at: string;
  sender: 'ai' | 'user';
  latency?: MessageLatency;
};

export type Avatar = {
  id: string;
  name: string;
  status: 'building' | 'ready' | 'failed';
  picture: string;
  progress?: number;
  reason?: string;
  advice?: string;
  consent?: string;
  created_at?: string;
};

export type ContactSheet = {
  /** As data URL. */
  picture: string;
  tile_side: number;
  columns: number;
  tiles: string[];
};

export type ModelAt = { type: 'openai_compatible'; api_id: string; model: string };

export type Agent = {
  id: string;
  name: string;
  avatar_id: string;
  system_prompt: string | null;
  language: string;
  greeting: string | null;
  max_session_length_minutes: number;
  capabilities: { type: string; triggers?: string[] }[];
  llm: (ModelAt & { temperature: number }) | { type: 'openai' } | null;
  stt: ModelAt | null;
  tts: (ModelAt & { voice: string | null }) | null;
  embeddings: ModelAt | null;
  knowledge_files: string[];
  allowed_origins: string[];
  is_private: boolean;
  chat_url: string;
  created_at: string;
};

export type KnowledgeFile = {
  id: string;
  name: string;
  format: 'text' | 'pdf';
  status: 'to-upload' | 'available';
  created_at: string;
  content?: string;
};

export type ExternalApi = { id: string; type: string; name: string; url: string };

export type Webhook = {
  id: string;
  url: string;
  events: string[];
  description: string;
  status: 'enabled' | 'disabled';
  disabled_reason?: 'requested' | 'gone' | 'failing';
  created_at: string;
};

export type Delivery = {
  id: string;
  event_id: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  created_at: string;
  next_attempt_at?: string;
  answer_status?: number;
  error?: string;
};

export type ApiKey = {
  id: string;
  name: string;
  scope: 'all' | 'operator';
  scopes: string[] | null;
  expires_at: string | null;
  created_at: string;
  last_used_at: string | null;
  last_used_address: string | null;
  revoked_at: string | null;
};

export type Usage = {
  plan: string;
  period: { started_at: string; ends_at: string };
  minutes_used: number;
  minutes_limit: number | null;
  overage_allowed: boolean;
  sessions_live: number;
  sessions_limit: number | null;
};

export type Worker = {
  id: string;
  kind: 'avatar' | 'agent';
  pool: string;
  version: string;
  host: string | null;
  state: 'ready' | 'late' | 'resting' | 'cordoned' | 'draining';
  cordoned: boolean;
  slots: number;
  taken: number;
  late_share: number;
  frame_rate: number | null;
  quality: string;
  since: string;
  drain: { sessions: number; done_by: string | null } | null;
};

type Demand = Record<
  'wanted_workers' | 'free_slots' | 'warm_slots' | 'queue_depth' | 'queue_oldest_seconds',
  number
>;

export type Pressure = Demand & { agents: Demand };

export type AuditEntry = {
  id: string;
  at: string;
  actor: { type: string; id: string | null; name: string | null };
  address: string | null;
  action: string;
  target_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export type Health = {
  data: {
    name: string;
    status: 'ok' | 'warning' | 'failed';
    detail: string | null;
    latency_ms: number | null;
  }[];
  version: string;
  migration: { own: string | number; newest: string | number; is_newer: boolean };
};

export type Person = {
  id: string;
  name: string;
  role: string;
  is_operator: boolean;
  has_password: boolean;
  last_sign_in_at: string | null;
};

export type Invitation = { id: string; role: string; name: string | null; expires_at: string };

export type FleetAudit = Record<'leases' | 'sessions' | 'rows' | 'performed', number> & {
  agrees: boolean;
  rooms: number | null;
  differences: {
    kind: string;
    session_id: string | null;
    worker_id: string | null;
    repaired: boolean;
  }[];
};
