/*
 * The abilities of an agent follow from its own models, those of the service and of Ollama, and
 * those that agent workers bring along. Every page and answer that names abilities takes them from
 * here.
 */
import type { Abilities, ModelSource } from '#protocol/abilities.ts';
import { hasBuiltInVoice, LANGUAGES } from '#protocol/languages.ts';
import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { SpeechPart } from '#shared/process/speech-installs.ts';
import { DEFAULT_SETTINGS } from '../records/agents/agent-settings.ts';
import type { Agent } from '../records/agents/agents.ts';
import type { ServiceModels } from './models/models.ts';
import type { Ollama } from './models/ollama.ts';
import { wantsToSee, type PictureRefusals } from './models/picture-refusals.ts';

export type AbilitiesParts = {
  service: Pick<ServiceModels, 'llm' | 'stt' | 'tts'>;
  /** Null: it is not looked for. */
  ollama: Pick<Ollama, 'state'> | null;
  /** Which languages agent workers of the pool recognize by a speech model of their own. */
  canRecognize: (pool: string | null) => Promise<(language: string) => boolean>;
  /** Parts that `npm start` is installing for agents. */
  installing: () => Promise<SpeechPart[]>;
  pictureRefusals: Pick<PictureRefusals, 'has'>;
  clock: Clock;
  log: Log;
};

type AgentModels = Pick<Agent, 'capabilities' | 'language' | 'llm' | 'stt' | 'tts'>;

/** An agent without models of its own has them. */
export const NO_MODELS: AgentModels = {
  capabilities: [],
  language: DEFAULT_SETTINGS.language,
  llm: null,
  stt: null,
  tts: null,
};

/**
 * Asks once what there is now, for any number of agents of one account. `pool`: of the account.
 */
export type AbilitiesIn = (pool: string | null) => Promise<(agent: AgentModels) => Abilities>;

/** Longest wait for the workers' answer. */
const WITHIN_MS = 1_000;

const BUILT_IN: ModelSource = { by: 'built_in', model: null };

type Model = { model: string };

const sourceOf = (own: Model | null, service: Model | null): ModelSource | null => {
  if (own) return { by: 'external_api', model: own.model };
  return service && { by: 'service', model: service.model };
};

export const abilitiesIn =
  ({
    service,
    ollama,
    canRecognize,
    installing,
    pictureRefusals,
    clock,
    log,
  }: AbilitiesParts): AbilitiesIn =>
  async (pool) => {
    const recognized = async (): Promise<(language: string) => boolean> => {
      try {
        return await inTime(clock, WITHIN_MS, canRecognize(pool), late);
      } catch (err) {
        // In the call the agent itself reports whether it hears.
        log.warn({ err }, 'speech recognition of agent workers unknown');
        return () => false;
      }
    };
    const [canHear, state, parts] = await Promise.all([
      recognized(),
      ollama?.state() ?? null,
      installing(),
    ]);
    const ollamaModel: ModelSource | null = state?.model
      ? { by: 'ollama', model: state.model.name }
      : null;
    const ollamaEars = state?.model?.capabilities.includes('audio') ? ollamaModel : null;
    const ollamaSees = state?.model?.capabilities.includes('vision') === true;
    return (agent) => {
      const { language, llm, stt, tts } = agent;
      const speaks = sourceOf(tts, service.tts) ?? BUILT_IN;
      const ownLlm = llm?.type === 'openai_compatible' ? llm : null;
      const thinks = sourceOf(ownLlm, service.llm) ?? ollamaModel;
      const canSee = thinks === ollamaModel ? ollamaSees : true;
      const hears = sourceOf(stt, service.stt) ?? (canHear(language) ? BUILT_IN : ollamaEars);
      const isMissing = { speech_recognition: !hears, natural_voice: speaks === BUILT_IN };
      return {
        hears,
        thinks,
        speaks,
        sees:
          wantsToSee(agent) &&
          thinks?.model != null &&
          canSee &&
          !pictureRefusals.has(llm, thinks.model),
        languages: speaks === BUILT_IN ? LANGUAGES.filter(hasBuiltInVoice) : LANGUAGES,
        installing: hasBuiltInVoice(language) ? parts.filter((part) => isMissing[part]) : [],
      };
    };
  };

const late = (): Error => new Error('no answer in time');
