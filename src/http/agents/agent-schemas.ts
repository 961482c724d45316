import Type, { type Static } from 'typebox';
import type { Abilities } from '#protocol/abilities.ts';
import { BUDGETS, type Amounts } from '#protocol/budgets.ts';
import { DEFAULT_LIMITS, type AgentLimits } from '#protocol/agent-limits.ts';
import { LANGUAGES } from '#protocol/languages.ts';
import { TURN_LEVELS } from '#protocol/voice/turn-taking.ts';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import type { Agent } from '../../records/agents/agents.ts';
import {
  DEFAULT_SETTINGS,
  type Capability,
  type ModelAt as Stored,
} from '../../records/agents/agent-settings.ts';
import { AppearanceBody, AppearanceRequest, toAppearanceBody } from './appearance-schemas.ts';
import { AgentAbilities, toAgentAbilities } from './ability-schemas.ts';
import { closed } from '../resource/closed-schema.ts';
import {
  Id,
  isoTime,
  named,
  optional,
  optionalOf,
  pageOf,
  Text,
  Time,
} from '../resource/schema-parts.ts';
import { toVideoRequest, VideoRequest } from '../sessions/video-schemas.ts';

/** Highest value of every limit. */
const MOST = 1_000_000_000;

const WebcamVision = Type.Object({ type: Type.Literal('webcam_vision') });
const WakeupMode = Type.Object({
  type: Type.Literal('wakeup_mode'),
  triggers: Type.Array(Text(1, 100), {
    minItems: 1,
    maxItems: 50,
    description: 'Words or phrases, case-insensitive.',
  }),
});
const Word = Type.Enum(['webcam_vision'], { type: 'string', deprecated: true });

const OpenAi = Type.Object({ type: Type.Literal('openai') });
const compatible = {
  type: Type.Literal('openai_compatible'),
  api_id: { ...Id, description: 'An external API of the account.' },
  model: Text(1, 200),
};
const Temperature = Type.Number({ minimum: 0, maximum: 2 });
const OpenAiCompatible = Type.Object({
  ...compatible,
  temperature: Type.Union(
    [Temperature, Type.String({ pattern: '^([01](\\.\\d{1,16})?|2(\\.0{1,16})?)$' })],
    { description: 'A number, or a number as text.', examples: [0.7] },
  ),
});

const modelAt = {
  ...compatible,
  api_id: { ...Id, description: 'An external API of the account, of the matching type.' },
};
const ModelAt = Type.Object(modelAt);
const TextToSpeech = Type.Object({
  ...modelAt,
  voice: Type.Optional(
    Type.Union([Text(1, 200), Type.Null()], {
      description: 'Defaults to the voice of the service.',
    }),
  ),
});

const Amount = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MOST }), Type.Null()], { description }),
  );
const AmountsRequest = (what: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.Object({
          model_tokens: Amount('Tokens of the language model, estimated.'),
          speech_characters: Amount('Characters that the agent speaks.'),
          seconds: Amount('Length of calls.'),
        }),
        Type.Null(),
      ],
      { description: what },
    ),
  );
const LimitsRequest = Type.Object({
  call: AmountsRequest(BUDGETS.call),
  day: AmountsRequest(BUDGETS.day),
  link_day: AmountsRequest(BUDGETS.link_day),
  texts_per_ten_minutes: Amount('Texts that one visitor may type in ten minutes.'),
});

const VoiceId = Type.Enum(
  BUILT_IN_VOICES.map(({ id }) => id),
  { type: 'string' },
);

const TurnLevel = (description: string) =>
  Type.Enum([...TURN_LEVELS], { type: 'string', description });

const turnTaking = {
  patience: TurnLevel('How long the agent waits when the user pauses in the middle of a sentence.'),
  interruptibility: TurnLevel('How easily speech of the user interrupts the agent.'),
};

const avatarId = { ...Id, description: 'The id or an alias of an avatar.' };
const settings = {
  system_prompt: optional(Text(1, 10_000), 'Instructions for the language model.'),
  language: optional(
    Type.Enum(LANGUAGES, { type: 'string' }),
    `Language that the agent speaks and understands. Its abilities list those that its voice speaks here. Default: ${DEFAULT_SETTINGS.language}.`,
  ),
  greeting: optional(Text(1, 1000), 'Spoken when a call starts.'),
  max_session_length_minutes: optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 90 }),
    `Time limit of a call. Default: ${DEFAULT_SETTINGS.maxSessionLengthMinutes}.`,
  ),
  capabilities: optional(
    Type.Array(Type.Union([WebcamVision, WakeupMode, Word]), { maxItems: 10 }),
    'Each type at most once. `wakeup_mode`: the agent answers what is spoken only after its name or one of the triggers, and for a minute after each answer. `webcam_vision`: while the user shows the camera, a language model that sees gets the newest picture with each question. Pictures are not stored.',
  ),
  llm: optionalOf(
    [OpenAi, OpenAiCompatible],
    'Language model. Defaults to the one configured for the service.',
  ),
  stt: optional(
    ModelAt,
    'Speech to text. Defaults to the one configured for the service or its agent worker.',
  ),
  tts: optional(
    TextToSpeech,
    'Text to speech. Defaults to the one configured for the service or its agent worker.',
  ),
  voice: optional(
    VoiceId,
    'Built-in voice, for an agent without `tts`. See the list of voices. Default: the one that fits the avatar.',
  ),
  turn_taking: optional(
    Type.Partial(Type.Object(turnTaking)),
    'How the agent takes turns with the user. Default of both: `medium`.',
  ),
  video: optional(
    named(VideoRequest),
    'The picture of its calls, unless a call asks for another. Without a size, the room page shows the shape of the visitor’s screen.',
  ),
  embeddings: optional(
    ModelAt,
    'Embeddings, to find passages of knowledge files by meaning as well as by words. Defaults to those configured for the service.',
  ),
  knowledge_files: optional(
    Type.Array(Id, { maxItems: 100, uniqueItems: true }),
    'Ids of knowledge files of the account.',
  ),
  allowed_origins: optional(
    Type.Array(Text(1, 300), {
      maxItems: 50,
      examples: [['https://www.example.com', 'https://*.example.org']],
    }),
    'Origins of the web pages that may show the agent, by `<troupe-agent>` or in a frame. `https://*.example.org` stands for all its subdomains. Default: none, so only its room page can.',
  ),
  limits: optional(
    LimitsRequest,
    'Budgets of the agent’s calls. When a budget is used up, the agent says so, and the call ends with `budget_reached`. What is omitted or null has its default. Days are UTC.',
  ),
  appearance: optional(
    AppearanceRequest,
    'How the room page and `<troupe-agent>` look. In an update, omitted fields keep their values. Null restores a default.',
  ),
};

export const AgentRequest = closed(
  Type.Object({ name: Text(1, 100), avatar_id: avatarId, ...settings }, { $id: 'AgentRequest' }),
);
export type AgentRequest = Static<typeof AgentRequest>;

const changes = {
  name: Type.Optional(Text(1, 100)),
  avatar_id: Type.Optional(avatarId),
  ...settings,
};

export const AgentChanges = closed(
  Type.Object(changes, {
    $id: 'AgentChanges',
    description: 'Omitted fields keep their values; null restores the default.',
  }),
);
export type AgentChanges = Static<typeof AgentChanges>;

/** Older clients may omit the name, and send more fields. */
export const OlderAgentRequest = Type.Object({
  avatar_id: avatarId,
  ...settings,
  name: optional(Text(1, 100), "Defaults to the avatar's name."),
});

export const OlderAgentChanges = Type.Object(changes);

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

const answered = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  avatar_id: Type.String(),
  system_prompt: TextOrNull,
  language: Type.String(),
  greeting: TextOrNull,
  max_session_length_minutes: Type.Number(),
  capabilities: Type.Array(Type.Union([WebcamVision, WakeupMode])),
  llm: Type.Union([OpenAi, Type.Object({ ...compatible, temperature: Temperature }), Type.Null()]),
  stt: Type.Union([ModelAt, Type.Null()]),
  tts: Type.Union([
    Type.Object({ ...modelAt, voice: Type.Union([Type.String(), Type.Null()]) }),
    Type.Null(),
  ]),
  embeddings: Type.Union([ModelAt, Type.Null()]),
  knowledge_files: Type.Array(Type.String()),
  created_at: Time,
};
const AmountsBody = Type.Object({
  model_tokens: Type.Integer(),
  speech_characters: Type.Integer(),
  seconds: Type.Integer(),
});
export const AgentBody = Type.Object(
  {
    ...answered,
    allowed_origins: Type.Array(Type.String(), {
      description: 'Origins of the web pages that may show the agent.',
    }),
    turn_taking: Type.Object(turnTaking),
    video: Type.Union([named(VideoRequest), Type.Null()], {
      description: 'The picture of its calls. Null: the default.',
    }),
    voice: Type.Union([VoiceId, Type.Null()], {
      description: 'Built-in voice. Null: the one that fits the avatar.',
    }),
    limits: Type.Object(
      {
        call: AmountsBody,
        day: AmountsBody,
        link_day: AmountsBody,
        texts_per_ten_minutes: Type.Integer(),
      },
      { description: 'Budgets of the agent’s calls.' },
    ),
    appearance: AppearanceBody,
    abilities: named(AgentAbilities),
    is_private: Type.Boolean({
      description: 'Whether its room page needs a link token. See the link secret of an agent.',
    }),
    chat_url: Type.String({
      format: 'uri',
      description:
        'Room page of the agent. Anyone with this address can talk to the agent, unless it is private.',
    }),
  },
  { $id: 'Agent' },
);
export type AgentBody = Static<typeof AgentBody>;
type Answered = Omit<
  AgentBody,
  | 'allowed_origins'
  | 'voice'
  | 'turn_taking'
  | 'video'
  | 'limits'
  | 'appearance'
  | 'abilities'
  | 'is_private'
  | 'chat_url'
>;

/** The stored fields of an agent. */
type StoredBody = Omit<AgentBody, 'abilities'>;

export const AgentPage = pageOf(named(AgentBody), 'AgentPage');

/** Capabilities are plain strings, and the prompt is never null. */
export const OlderAgent = Type.Object({
  ...answered,
  system_prompt: Type.String(),
  capabilities: Type.Array(Type.String()),
});

/** Base addresses of its links. */
type LinkBases = { chatBase: string; baseUrl: string };

export const toAgentBody = (
  { agent, abilities }: { agent: Agent; abilities: Abilities },
  bases: LinkBases,
): AgentBody => ({
  ...toStoredBody(agent, bases),
  abilities: toAgentAbilities(abilities, agent.language),
});

export const toStoredBody = (agent: Agent, { chatBase, baseUrl }: LinkBases): StoredBody => ({
  ...toAnswered(agent),
  allowed_origins: agent.allowedOrigins,
  voice: agent.voice,
  turn_taking: agent.turnTaking,
  video: agent.video && toVideoRequest(agent.video),
  limits: toLimitsBody(agent.limits ?? DEFAULT_LIMITS),
  appearance: toAppearanceBody(agent, baseUrl),
  is_private: agent.isPrivate,
  chat_url: `${chatBase}/${agent.id}`,
});

const toAnswered = (agent: Agent): Answered => ({
  id: agent.id,
  name: agent.name,
  avatar_id: agent.avatarId,
  system_prompt: agent.systemPrompt,
  language: agent.language,
  greeting: agent.greeting,
  max_session_length_minutes: agent.maxSessionLengthMinutes,
  capabilities: agent.capabilities,
  llm: toLlmBody(agent.llm),
  stt: agent.stt && toModelBody(agent.stt),
  tts: agent.tts && { ...toModelBody(agent.tts), voice: agent.tts.voice },
  embeddings: agent.embeddings && toModelBody(agent.embeddings),
  knowledge_files: agent.knowledgeFileIds,
  created_at: isoTime(agent.createdAt),
});

export const toOlderAgent = (agent: Agent): Static<typeof OlderAgent> => ({
  ...toAnswered(agent),
  system_prompt: agent.systemPrompt ?? '',
  capabilities: agent.capabilities.map(({ type }: Capability) => type),
});

const toLimitsBody = ({ call, day, linkDay, textsPerTenMinutes }: AgentLimits) => ({
  call: toAmountsBody(call),
  day: toAmountsBody(day),
  link_day: toAmountsBody(linkDay),
  texts_per_ten_minutes: textsPerTenMinutes,
});

const toAmountsBody = ({ modelTokens, speechCharacters, seconds }: Amounts) => ({
  model_tokens: modelTokens,
  speech_characters: speechCharacters,
  seconds,
});

const toModelBody = ({ type, apiId, model }: Stored) => ({ type, api_id: apiId, model });

function toLlmBody(llm: Agent['llm']): Answered['llm'] {
  if (llm?.type !== 'openai_compatible') return llm;
  const { type, apiId, model, temperature } = llm;
  return { type, api_id: apiId, model, temperature };
}

export const LinkSecret = Type.Object(
  {
    link_secret: Type.String({
      description: 'Signs link tokens. Shown once; keep it in your backend.',
    }),
  },
  { $id: 'LinkSecret' },
);

export const agentSchemas = [
  AgentRequest,
  AgentChanges,
  AgentAbilities,
  AgentBody,
  AgentPage,
  LinkSecret,
];
