import Type, { type Static } from 'typebox';
import { readConfig, type Environment } from '#shared/config.ts';
import { WORKER_SETTINGS } from '../runtime/config.ts';

const AgentConfig = Type.Object({
  ...WORKER_SETTINGS,
  /** Concurrent conversations; default: eight per core. */
  AGENT_SLOTS: Type.Integer({ minimum: 1 }),
  /** How long a call continues after its user has left. A page reload rejoins the same call. */
  USER_GRACE_SECONDS: Type.Integer({ minimum: 1, maximum: 3_600, default: 60 }),
  /** Default voice: the natural one if it is installed, or always the small one. */
  VOICE: Type.Enum(['hibari', 'flite'], { default: 'hibari' }),
  /** Speech recognition of agents without `stt`, in English, once it is installed; or none. */
  HEARING: Type.Enum(['moonshine', 'off'], { default: 'moonshine' }),
  /** Folder of the natural voice and speech recognition. Default: DATA_DIR. */
  SPEECH_DIR: Type.Optional(Type.String()),
  /** Folder of a sherpa-onnx model that is used instead, for all languages. */
  SHERPA_MODEL_DIR: Type.Optional(Type.String()),
});
type AgentConfig = Readonly<Static<typeof AgentConfig>>;

/** Variables of the agent worker. */
export const AGENT_WORKER_SETTINGS = Object.keys(AgentConfig.properties);

export const loadAgentConfig = (env: Environment, cores: number): AgentConfig =>
  readConfig(AgentConfig, env, { AGENT_SLOTS: cores * 8 });
