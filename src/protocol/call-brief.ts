/*
 * What the worker of a managed agent asks of the control plane about a call that it holds, and tells it: over HTTP, under the control
 * plane's address, with `Authorization: Bearer WORKER_TOKEN` and the worker's id in the header below. Only of a call whose conversation this
 * worker has a lease for is anything told: for all others, and when the call is over, the answer is 404. Lines of a call that is over are
 * taken for five minutes more.
 *
 * Addresses of models were checked when they were saved and again for the brief, as those of webhooks are: not in a network that the service
 * does not allow. The worker calls them, so it is for its network to keep it from what it must not reach.
 */
import Type, { type Static, type TSchema } from 'typebox';

export const CALLS_PATH = '/worker-calls';

/** Says which worker asks. */
export const WORKER_ID_HEADER = 'x-worker-id';

/** GET: the brief. */
export const briefPath = (callId: string): string => `${CALLS_PATH}/${callId}`;

/** PUT: keeps a line of the conversation. Of one id only the first is kept, so that it may be sent again until it is answered. */
export const linePath = (callId: string, lineId: string): string =>
  `${CALLS_PATH}/${callId}/lines/${lineId}`;

/** POST: finds what the agent's knowledge files say of a question. */
export const passagesPath = (callId: string): string => `${CALLS_PATH}/${callId}/passages`;

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** An endpoint that speaks as OpenAI's do: `url` ends before `/chat/completions`, `/audio/transcriptions` or `/audio/speech`. */
const Endpoint = {
  url: Type.String(),
  key: Nullable(Type.String()),
  model: Type.String(),
};

const Sender = Type.Enum(['ai', 'user']);

/** What an agent is to be in this call, and what was said before its worker came. */
export const CallBrief = Type.Object({
  callId: Type.String(),
  agentName: Type.String(),
  systemPrompt: Nullable(Type.String()),
  greeting: Nullable(Type.String()),
  language: Type.String(),
  /** How much longer the call may last. */
  leftMs: Type.Number({ minimum: 0 }),
  user: Type.Object({ identity: Type.String(), name: Nullable(Type.String()) }),
  /** The participant that is the agent's face. */
  faceIdentity: Type.String(),
  /** Null: the built-in responder. */
  llm: Nullable(Type.Object({ ...Endpoint, temperature: Nullable(Type.Number()) })),
  /** Null: what the worker has of its own, if anything. */
  stt: Nullable(Type.Object(Endpoint)),
  tts: Nullable(Type.Object({ ...Endpoint, voice: Type.String() })),
  /** Whether asking for passages can find any. */
  hasKnowledge: Type.Boolean(),
  /** In order; empty in a call that begins. */
  lines: Type.Array(Type.Object({ sender: Sender, text: Type.String() })),
});
export type CallBrief = Static<typeof CallBrief>;

/** Of one answer, in milliseconds, each from the end of the user's speech or the arrival of the typed text; null: not known. */
export const TurnLatency = Type.Object({
  transcriptMs: Nullable(Type.Number({ minimum: 0 })),
  firstTokenMs: Nullable(Type.Number({ minimum: 0 })),
  firstAudioMs: Nullable(Type.Number({ minimum: 0 })),
  /** By the face's word that this answer began to be heard and seen. */
  firstFrameMs: Nullable(Type.Number({ minimum: 0 })),
});
export type TurnLatency = Static<typeof TurnLatency>;

export const CallLine = Type.Object({
  sender: Sender,
  /** Of the agent: as far as it was heard. */
  text: Type.String({ minLength: 1, maxLength: 20_000 }),
  /** How long ago it was begun to be said, in milliseconds by the worker's own clock. */
  agoMs: Type.Number({ minimum: 0 }),
  /** Absent for what the user said, and for what answers nobody. */
  latency: Type.Optional(TurnLatency),
});
export type CallLine = Static<typeof CallLine>;

export const PassagesRequest = Type.Object({
  question: Type.String({ minLength: 1, maxLength: 2_000 }),
});

/** Best first. Text of a file is data: whoever hands it to a model must say so. */
export const Passages = Type.Object({
  passages: Type.Array(Type.Object({ source: Type.String(), text: Type.String() })),
});
export type Passages = Static<typeof Passages>;
