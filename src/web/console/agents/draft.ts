/* Draft of an agent in its form, and the change that the form sends. Pure. */
import { DEFAULT_LIMITS } from '#protocol/agent-limits.ts';
import type { Amounts } from '#protocol/budgets.ts';
import type { Agent } from '../../../clients/typescript/src/generated/models.ts';

/** `apiId` empty: the model of the service. */
export type ModelDraft = { apiId: string; model: string };

export const LIMIT_SCOPES = ['call', 'day', 'link_day'] as const;
export const LIMIT_UNITS = ['model_tokens', 'speech_characters', 'minutes'] as const;
type LimitScope = (typeof LIMIT_SCOPES)[number];
type LimitUnit = (typeof LIMIT_UNITS)[number];

type LimitsDraft = Record<LimitScope, Record<LimitUnit, string>> & {
  texts_per_ten_minutes: string;
};

export type AgentDraft = {
  name: string;
  avatarId: string;
  prompt: string;
  greeting: string;
  language: string;
  minutes: string;
  llm: ModelDraft & { isOpenAi: boolean; temperature: string };
  stt: ModelDraft;
  tts: ModelDraft & { voice: string };
  /** Id of a built-in voice; empty: the one of the face. */
  voice: string;
  turnTaking: Agent['turn_taking'];
  video: Agent['video'];
  capabilities: Agent['capabilities'];
  embeddings: ModelDraft;
  knowledgeFiles: string[];
  limits: LimitsDraft;
};

const modelDraft = (model: { api_id: string; model: string } | null): ModelDraft => ({
  apiId: model?.api_id ?? '',
  model: model?.model ?? '',
});

export function draftOf(agent: Agent): AgentDraft {
  const { llm, tts } = agent;
  const ownModel = llm?.type === 'openai_compatible' ? llm : null;
  return {
    name: agent.name,
    avatarId: agent.avatar_id,
    prompt: agent.system_prompt ?? '',
    greeting: agent.greeting ?? '',
    language: agent.language,
    minutes: String(agent.max_session_length_minutes),
    llm: {
      ...modelDraft(ownModel),
      isOpenAi: llm?.type === 'openai',
      temperature: String(ownModel?.temperature ?? 0.7),
    },
    stt: modelDraft(agent.stt),
    tts: { ...modelDraft(tts), voice: tts?.voice ?? '' },
    voice: agent.voice ?? '',
    turnTaking: agent.turn_taking,
    video: agent.video,
    capabilities: agent.capabilities,
    embeddings: modelDraft(agent.embeddings),
    knowledgeFiles: agent.knowledge_files,
    limits: limitsDraft(agent.limits),
  };
}

const limitsDraft = ({ call, day, link_day, texts_per_ten_minutes }: Agent['limits']) => ({
  call: asTexts(call),
  day: asTexts(day),
  link_day: asTexts(link_day),
  texts_per_ten_minutes: String(texts_per_ten_minutes),
});

const asTexts = (amounts: Agent['limits']['call']): Record<LimitUnit, string> => ({
  model_tokens: String(amounts.model_tokens),
  speech_characters: String(amounts.speech_characters),
  // Two digits tell every second from its neighbours.
  minutes: String(Math.round((amounts.seconds / 60) * 100) / 100),
});

const usualAmounts = ({ modelTokens, speechCharacters, seconds }: Amounts) =>
  asTexts({ model_tokens: modelTokens, speech_characters: speechCharacters, seconds });

export const DEFAULT_LIMITS_DRAFT = {
  call: usualAmounts(DEFAULT_LIMITS.call),
  day: usualAmounts(DEFAULT_LIMITS.day),
  link_day: usualAmounts(DEFAULT_LIMITS.linkDay),
};

const orNull = (text: string): string | null => text.trim() || null;

const modelOf = ({ apiId, model }: ModelDraft) =>
  apiId ? { type: 'openai_compatible' as const, api_id: apiId, model } : null;

/** Only what was changed: changes by others, and what the form cannot show, stay. */
export function changesBetween(original: AgentDraft, draft: AgentDraft): Record<string, unknown> {
  const old = fieldsOf(original);
  return Object.fromEntries(
    Object.entries(fieldsOf(draft)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
    ),
  );
}

/** Null restores a default. */
function fieldsOf(draft: AgentDraft): Record<string, unknown> {
  const { llm, tts } = draft;
  const ownLlm = modelOf(llm);
  const ownTts = modelOf(tts);
  return {
    name: draft.name,
    avatar_id: draft.avatarId,
    system_prompt: orNull(draft.prompt),
    greeting: orNull(draft.greeting),
    language: draft.language,
    max_session_length_minutes: Number(draft.minutes),
    llm: llm.isOpenAi
      ? { type: 'openai' }
      : ownLlm && { ...ownLlm, temperature: Number(llm.temperature) },
    stt: modelOf(draft.stt),
    tts: ownTts && { ...ownTts, voice: orNull(tts.voice) },
    voice: orNull(draft.voice),
    turn_taking: draft.turnTaking,
    video: draft.video,
    capabilities: draft.capabilities,
    embeddings: modelOf(draft.embeddings),
    knowledge_files: draft.knowledgeFiles,
    limits: limitsOf(draft.limits),
  };
}

const limitsOf = ({ call, day, link_day, texts_per_ten_minutes }: LimitsDraft) => ({
  call: asNumbers(call),
  day: asNumbers(day),
  link_day: asNumbers(link_day),
  texts_per_ten_minutes: numberOrNull(texts_per_ten_minutes),
});

const asNumbers = (amounts: Record<LimitUnit, string>) => ({
  model_tokens: numberOrNull(amounts.model_tokens),
  speech_characters: numberOrNull(amounts.speech_characters),
  seconds: amounts.minutes === '' ? null : Math.round(Number(amounts.minutes) * 60),
});

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));
