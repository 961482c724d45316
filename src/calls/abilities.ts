/*
 * The abilities of an agent follow from its own models, those of the service, and those that agent
 * workers bring along. Every page and answer that names abilities takes them from here.
 */
import type { Abilities, ModelSource } from '#protocol/abilities.ts';
import { hasBuiltInVoice, LANGUAGES } from '#protocol/languages.ts';
import type { Log } from '#shared/log.ts';
import { DEFAULT_SETTINGS } from '../records/agents/agent-settings.ts';
import type { Agent } from '../records/agents/agents.ts';
import type { ServiceModels } from './models/models.ts';

export type AbilitiesParts = {
  service: Pick<ServiceModels, 'llm' | 'stt' | 'tts'>;
  /** Whether an agent worker of the pool has a speech model of its own for the language. */
  canRecognize: (pool: string | null, language: string) => Promise<boolean>;
  log: Log;
};

type AgentModels = Pick<Agent, 'language' | 'llm' | 'stt' | 'tts'>;

/** An agent without models of its own has them. */
export const NO_MODELS: AgentModels = {
  language: DEFAULT_SETTINGS.language,
  llm: null,
  stt: null,
  tts: null,
};

/** `pool`: of the agent's owner. */
export type AbilitiesOf = (agent: AgentModels, pool: string | null) => Promise<Abilities>;

const BUILT_IN: ModelSource = { by: 'built_in', model: null };

type Model = { model: string };

const sourceOf = (own: Model | null, service: Model | null): ModelSource | null => {
  if (own) return { by: 'external_api', model: own.model };
  return service && { by: 'service', model: service.model };
};

export const abilitiesOf =
  ({ service, canRecognize, log }: AbilitiesParts): AbilitiesOf =>
  async ({ language, llm, stt, tts }, pool) => {
    const recognizes = async (): Promise<boolean> => {
      try {
        return await canRecognize(pool, language);
      } catch (err) {
        // In the call the agent itself reports whether it hears.
        log.warn({ err }, 'speech recognition of agent workers unknown');
        return false;
      }
    };
    const speaks = sourceOf(tts, service.tts) ?? BUILT_IN;
    return {
      hears: sourceOf(stt, service.stt) ?? ((await recognizes()) ? BUILT_IN : null),
      thinks: sourceOf(llm?.type === 'openai_compatible' ? llm : null, service.llm),
      speaks,
      sees: false,
      languages: speaks === BUILT_IN ? LANGUAGES.filter(hasBuiltInVoice) : LANGUAGES,
    };
  };
