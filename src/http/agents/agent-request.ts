import type { Amounts } from '#protocol/budgets.ts';
import type { Avatars } from '../../avatars/avatars.ts';
import { problem } from '../../errors.ts';
import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import { DEFAULT_LIMITS, type AgentLimits } from '#protocol/agent-limits.ts';
import { readAppearance } from './agent-appearance.ts';
import { readOrigins } from './agent-origins.ts';
import {
  DEFAULT_SETTINGS as defaults,
  type AgentSettings,
  type AgentSettingsChange,
  type Capability,
  type Llm,
  type ModelAt,
} from '../../records/agents/agent-settings.ts';
import type { AgentChanges, AgentRequest } from './agent-schemas.ts';
import { readVideo } from '../sessions/video-schemas.ts';

/** Records to which the fields of a request refer. */
type Referred = {
  avatars: Pick<Avatars, 'performing'>;
  /** Returns the hash of the stored logo. */
  storeLogo: (bytes: Uint8Array) => Promise<string>;
};

/** The name defaults to the avatar's. */
export async function readAgent(
  { name, ...body }: Omit<AgentRequest, 'name'> & { name?: string | null },
  referred: Referred,
  accountId: string,
): Promise<AgentSettings> {
  const avatar = await referred.avatars.performing(accountId, body.avatar_id);
  const { appearance, ...settings } = await readChanges(body, referred, accountId);
  return {
    ...defaults,
    ...settings,
    appearance: { ...defaults.appearance, ...appearance },
    avatarId: avatar.id,
    name: name ?? avatar.name,
  };
}

/** Omitted fields are absent from the result; null restores the default. */
export const readChanges = async (
  body: AgentChanges,
  { avatars, storeLogo }: Referred,
  accountId: string,
): Promise<AgentSettingsChange> => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.avatar_id !== undefined && {
    avatarId: (await avatars.performing(accountId, body.avatar_id)).id,
  }),
  ...(body.system_prompt !== undefined && { systemPrompt: body.system_prompt }),
  ...(body.language !== undefined && { language: body.language ?? defaults.language }),
  ...(body.greeting !== undefined && { greeting: body.greeting }),
  ...(body.max_session_length_minutes !== undefined && {
    maxSessionLengthMinutes: body.max_session_length_minutes ?? defaults.maxSessionLengthMinutes,
  }),
  ...(body.capabilities !== undefined && { capabilities: readCapabilities(body.capabilities) }),
  ...(body.llm !== undefined && { llm: readLlm(body.llm) }),
  ...(body.stt !== undefined && { stt: body.stt && readModel(body.stt) }),
  ...(body.tts !== undefined && {
    tts: body.tts && { ...readModel(body.tts), voice: body.tts.voice ?? null },
  }),
  ...(body.voice !== undefined && { voice: body.voice }),
  ...(body.turn_taking !== undefined && {
    turnTaking: { ...DEFAULT_TURN_TAKING, ...body.turn_taking },
  }),
  ...(body.video !== undefined && {
    video: body.video && readVideo(body.video, ['body', 'video']),
  }),
  ...(body.embeddings !== undefined && {
    embeddings: body.embeddings && readModel(body.embeddings),
  }),
  ...(body.knowledge_files !== undefined && { knowledgeFileIds: body.knowledge_files ?? [] }),
  ...(body.allowed_origins !== undefined && {
    allowedOrigins: readOrigins(body.allowed_origins ?? []),
  }),
  ...(body.limits !== undefined && { limits: body.limits && readLimits(body.limits) }),
  // Last, because it stores the logo: nothing after it is refused.
  ...(body.appearance !== undefined && {
    appearance: await readAppearance(body.appearance, storeLogo),
  }),
});

function readCapabilities(values: AgentRequest['capabilities']): Capability[] {
  const capabilities = (values ?? []).map(readCapability);
  const types = capabilities.map(({ type }) => type);
  const second = types.findIndex((type, at) => types.indexOf(type) < at);
  if (second < 0) return capabilities;
  const loc = ['body', 'capabilities', second];
  throw problem('repeated', loc, 'Input should have each type once', values?.[second]);
}

/** Drops unknown fields. */
function readCapability(value: NonNullable<AgentRequest['capabilities']>[number]): Capability {
  if (value === 'webcam_vision' || value.type === 'webcam_vision') return { type: 'webcam_vision' };
  return { type: value.type, triggers: value.triggers };
}

function readLimits(limits: NonNullable<AgentRequest['limits']>): AgentLimits {
  const { call, day, linkDay, textsPerTenMinutes } = DEFAULT_LIMITS;
  return {
    call: readAmounts(limits.call, call),
    day: readAmounts(limits.day, day),
    linkDay: readAmounts(limits.link_day, linkDay),
    textsPerTenMinutes: limits.texts_per_ten_minutes ?? textsPerTenMinutes,
  };
}

const readAmounts = (
  amounts: NonNullable<AgentRequest['limits']>['call'],
  usual: Amounts,
): Amounts => ({
  modelTokens: amounts?.model_tokens ?? usual.modelTokens,
  speechCharacters: amounts?.speech_characters ?? usual.speechCharacters,
  seconds: amounts?.seconds ?? usual.seconds,
});

const readModel = ({ type, api_id: apiId, model }: NonNullable<AgentRequest['stt']>): ModelAt => ({
  type,
  apiId,
  model,
});

function readLlm(llm: AgentRequest['llm']): Llm | null {
  if (!llm) return null;
  if (llm.type === 'openai') return { type: 'openai' };
  const { type, api_id: apiId, model, temperature } = llm;
  return { type, apiId, model, temperature: Number(temperature) };
}
