import Type, { type Static } from 'typebox';
import { readConfig, type Environment } from '#shared/config.ts';
import { WORKER_SETTINGS } from '../runtime/config.ts';

const AgentConfig = Type.Object({
  ...WORKER_SETTINGS,
  /** Conversations at once; by default eight for each core. */
  AGENT_SLOTS: Type.Integer({ minimum: 1 }),
  /** How long a call goes on after its user has left: a reload comes back into the same call. */
  USER_GRACE_SECONDS: Type.Integer({ minimum: 1, maximum: 3_600, default: 60 }),
  /** The voice of agents without one of their own: the natural one where it is installed, or always the small one. */
  VOICE: Type.Enum(['hibari', 'flite'], { default: 'hibari' }),
  /** A model of sherpa-onnx that turns speech into text; without it only agents with an endpoint for that hear. */
  SHERPA_MODEL_DIR: Type.Optional(Type.String()),
});
export type AgentConfig = Readonly<Static<typeof AgentConfig>>;

export const loadAgentConfig = (env: Environment, cores: number): AgentConfig =>
  readConfig(AgentConfig, env, { AGENT_SLOTS: cores * 8 });
