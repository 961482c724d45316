import type { AgentLimits } from '#protocol/agent-limits.ts';
import { DEFAULT_TURN_TAKING, type TurnTaking } from '#protocol/voice/turn-taking.ts';
import type { VideoWish } from '#protocol/pictures/frames.ts';

export type Capability = { type: 'webcam_vision' } | { type: 'wakeup_mode'; triggers: string[] };

export type Llm =
  | { type: 'openai' }
  | { type: 'openai_compatible'; apiId: string; model: string; temperature: number };

/** A model at an external API. */
export type ModelAt = { type: 'openai_compatible'; apiId: string; model: string };

type Stt = ModelAt;

/** `voice` null: the service's default. */
type Tts = ModelAt & { voice: string | null };

/** Adds semantic search to the word search over the agent's files. */
type Embeddings = ModelAt;

/** How the pages of visitors show the agent. Null: their own look. */
export type Appearance = {
  /** As `#rrggbb`, in lower case. */
  accentColor: string | null;
  /** Hash of the blob. */
  logoHash: string | null;
  welcomeText: string | null;
};

export const DEFAULT_APPEARANCE: Appearance = {
  accentColor: null,
  logoHash: null,
  welcomeText: null,
};

export type AgentSettings = {
  name: string;
  avatarId: string;
  systemPrompt: string | null;
  language: string;
  greeting: string | null;
  maxSessionLengthMinutes: number;
  capabilities: Capability[];
  llm: Llm | null;
  stt: Stt | null;
  tts: Tts | null;
  embeddings: Embeddings | null;
  /** The built-in voice; null: the one of the face. */
  voice: string | null;
  turnTaking: TurnTaking;
  /** The picture of its calls. */
  video: VideoWish | null;
  /** In the caller's order. */
  knowledgeFileIds: string[];
  /** Origins of pages that may show the agent, such as `https://www.example.com`. Normalized. */
  allowedOrigins: string[];
  /** Null: the defaults. */
  limits: AgentLimits | null;
  appearance: Appearance;
};

/** Absent fields, also those of the appearance, keep their values. */
export type AgentSettingsChange = Partial<Omit<AgentSettings, 'appearance'>> & {
  appearance?: Partial<Appearance>;
};

/** Settings of an agent created with name and avatar only. */
export const DEFAULT_SETTINGS: Omit<AgentSettings, 'name' | 'avatarId'> = {
  systemPrompt: null,
  language: 'en',
  greeting: null,
  maxSessionLengthMinutes: 30,
  capabilities: [],
  llm: null,
  stt: null,
  tts: null,
  embeddings: null,
  voice: null,
  turnTaking: DEFAULT_TURN_TAKING,
  video: null,
  knowledgeFileIds: [],
  allowedOrigins: [],
  limits: null,
  appearance: DEFAULT_APPEARANCE,
};
