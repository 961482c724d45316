/*
 * HTTP interface of the control plane for agent workers. Requests carry
 * `Authorization: Bearer WORKER_TOKEN` and the worker's id and secret in the headers below. A
 * worker needs the lease of a call's conversation; other calls, and calls that have ended, answer
 * 404. An ended call accepts lines for another five minutes.
 *
 * Model URLs of an agent's owner are checked like webhook URLs: when they are saved, for each
 * brief, and by the worker at each connection.
 */
import Type, { type Static, type TSchema } from 'typebox';
import { TURN_LEVELS } from './voice/turn-taking.ts';

const CALLS_PATH = '/worker-calls';

/** Identifies the requesting worker. */
export const WORKER_ID_HEADER = 'x-worker-id';
/** Proves that the id is the worker's (`worker-id.ts`). Absent on older workers. */
export const WORKER_SECRET_HEADER = 'x-worker-secret';

/** GET: the call's brief. */
export const briefPath = (callId: string): string => `${CALLS_PATH}/${callId}`;

/** PUT: stores a line of the conversation. The first write of an id wins, so retries are safe. */
export const linePath = (callId: string, lineId: string): string =>
  `${CALLS_PATH}/${callId}/lines/${lineId}`;

/** PUT: reports what the call has cost in all. Answered by what it may still cost. */
export const spendingPath = (callId: string): string => `${CALLS_PATH}/${callId}/spending`;

/** PUT: the call's language model refused a picture. */
export const pictureRefusalPath = (callId: string): string =>
  `${CALLS_PATH}/${callId}/picture-refusal`;

/** POST: searches the agent's knowledge files. */
export const passagesPath = (callId: string): string => `${CALLS_PATH}/${callId}/passages`;

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/**
 * An OpenAI-compatible endpoint. `url` is the part before `/chat/completions`,
 * `/audio/transcriptions` or `/audio/speech`.
 */
const Endpoint = {
  url: Type.String(),
  key: Nullable(Type.String()),
  model: Type.String(),
  /**
   * The agent's owner chose the URL: connect only to public addresses and these networks, separated
   * by commas. Absent: the operator's endpoint, at any address.
   */
  networks: Type.Optional(Type.String()),
};

const Sender = Type.Enum(['ai', 'user']);

const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Totals of a call, also over several workers: repeated reports change nothing. */
export const CallSpending = Type.Object({
  /** Estimated (`token-estimate.ts`), with retries and summaries. */
  modelTokens: Amount,
  speechCharacters: Amount,
  /** Typed by the user. */
  texts: Amount,
});
export type CallSpending = Static<typeof CallSpending>;

/** Remaining budgets; used up at 0 or below. Absent: not limited. */
export const CallAllowance = Type.Object({
  modelTokens: Type.Optional(Type.Number()),
  speechCharacters: Type.Optional(Type.Number()),
  seconds: Type.Optional(Type.Number()),
  /** The visitor's, in all calls with the agent, until these ten minutes are over. */
  texts: Type.Optional(Type.Number()),
});
export type CallAllowance = Static<typeof CallAllowance>;

const CallBudget = Type.Object({
  spent: CallSpending,
  left: CallAllowance,
  textsPerTenMinutes: Type.Integer({ minimum: 1 }),
});
export type CallBudget = Static<typeof CallBudget>;

/** The agent's settings for this call, and the conversation so far. */
export const CallBrief = Type.Object({
  callId: Type.String(),
  agentName: Type.String(),
  systemPrompt: Nullable(Type.String()),
  greeting: Nullable(Type.String()),
  language: Type.String(),
  /** Remaining call time. */
  leftMs: Type.Number({ minimum: 0 }),
  user: Type.Object({ identity: Type.String(), name: Nullable(Type.String()) }),
  /** Identity of the participant that shows the agent's face. */
  faceIdentity: Type.String(),
  /** Null: use the built-in responder. */
  llm: Nullable(
    Type.Object({
      ...Endpoint,
      temperature: Nullable(Type.Number()),
      /** Sent with each request. Absent: the model's default. */
      reasoningEffort: Type.Optional(Type.Literal('none')),
      /** Questions come with a picture of the user's camera, while it is on. Absent: false. */
      sees: Type.Optional(Type.Boolean()),
    }),
  ),
  /** Null: use the worker's own model, if it has one. */
  stt: Nullable(
    Type.Object({
      ...Endpoint,
      /** The worker's own model comes first, if it has one. Older workers use the endpoint. */
      isFallback: Type.Optional(Type.Boolean()),
    }),
  ),
  tts: Nullable(Type.Object({ ...Endpoint, voice: Type.String() })),
  /** Absent on older control planes: the default. */
  turnTaking: Type.Optional(
    Type.Object({ patience: Type.Enum(TURN_LEVELS), interruptibility: Type.Enum(TURN_LEVELS) }),
  ),
  /** Phrases that wake the agent. Absent: it is always awake. */
  wakeUpPhrases: Type.Optional(Type.Array(Type.String())),
  /** The built-in voice, for speech without a `tts`. Absent on older control planes. */
  voice: Type.Optional(Type.String()),
  /** Whether a search for passages can find any. */
  hasKnowledge: Type.Boolean(),
  /** Absent on older control planes: report no spending, and do not end with `budget_reached`. */
  budget: Type.Optional(CallBudget),
  /** In order. Empty when the call begins. */
  lines: Type.Array(Type.Object({ sender: Sender, text: Type.String() })),
});
export type CallBrief = Static<typeof CallBrief>;

/**
 * Latency of one answer in milliseconds, from the end of the user's speech or the arrival of the
 * typed text. Null: unknown.
 */
export const TurnLatency = Type.Object({
  transcriptMs: Nullable(Type.Number({ minimum: 0 })),
  firstTokenMs: Nullable(Type.Number({ minimum: 0 })),
  firstAudioMs: Nullable(Type.Number({ minimum: 0 })),
  /** Based on the face's report that playback started. */
  firstFrameMs: Nullable(Type.Number({ minimum: 0 })),
});
export type TurnLatency = Static<typeof TurnLatency>;

export const CallLine = Type.Object({
  sender: Sender,
  /** An agent's line holds only the part that was heard. */
  text: Type.String({ minLength: 1, maxLength: 20_000 }),
  /** Age of the line's start in milliseconds, by the worker's clock. */
  agoMs: Type.Number({ minimum: 0 }),
  /**
   * Time from the start of an earlier saved line of this worker, negative if this one began before
   * it. Unlike `agoMs`, it does not vary with the delay of requests, so lines keep their order.
   * Absent for a worker's first line, and on older workers.
   */
  since: Type.Optional(Type.Object({ lineId: Type.String({ maxLength: 100 }), ms: Type.Number() })),
  /** Absent for user lines, and for agent lines that are not answers. */
  latency: Type.Optional(TurnLatency),
});
export type CallLine = Static<typeof CallLine>;

export const PassagesRequest = Type.Object({
  question: Type.String({ minLength: 1, maxLength: 2_000 }),
});

/** Best match first. File text is data: a prompt that includes it must say so. */
export const Passages = Type.Object({
  passages: Type.Array(Type.Object({ source: Type.String(), text: Type.String() })),
});
export type Passages = Static<typeof Passages>;
