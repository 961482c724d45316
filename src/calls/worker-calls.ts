/*
 * Serves the worker that performs a call's conversation. Other workers, and any worker after the
 * end, get `not_found`. The worker before may still add lines.
 */
import type { Clock } from '#shared/clock.ts';
import type { EmbeddingEndpoint } from '../knowledge/embedder.ts';
import type {
  CallAllowance,
  CallBrief,
  CallLine,
  CallSpending,
  Passages,
} from '#protocol/call-brief.ts';
import { FACE } from '#protocol/room-terms.ts';
import { Fault } from '../errors.ts';
import type { AgentRecords } from '../records/agents/agents.ts';
import type { CallMessageRecords } from '../records/calls/call-messages.ts';
import type { CallRecords } from '../records/calls/calls.ts';
import type { KnowledgeFileRecords } from '../records/knowledge/knowledge-files.ts';
import type { SessionRecord, SessionRecords } from '../records/sessions/sessions.ts';
import type { CallBudgets } from './budgets/call-budgets.ts';
import { agentOfCall, type CallAgent } from './call-agent.ts';
import { userOf, type Calls } from './calls.ts';
import type { EmbedderOf } from './models/embeddings.ts';
import type { ModelsOf } from './models/models.ts';
import type { Ollama } from './models/ollama.ts';
import type { PictureRefusals } from './models/picture-refusals.ts';

/** The last lines may arrive after the end of the call. */
const LATE_LINES_MS = 5 * 60_000;

export type WorkerCallsParts = {
  records: {
    calls: Pick<CallRecords, 'findAny'>;
    callMessages: Pick<CallMessageRecords, 'list' | 'sentAt'>;
    agents: Pick<AgentRecords, 'find'>;
    knowledgeFiles: Pick<KnowledgeFileRecords, 'available'>;
  };
  sessions: Pick<SessionRecords, 'ofCall'>;
  lines: Pick<Calls, 'addMessage'>;
  /** Search in agents' files. `prepare` indexes them before the first question. */
  knowledge: {
    prepare(agent: CallAgent, endpoint: EmbeddingEndpoint | null): void;
    find(
      agent: CallAgent,
      question: string,
      endpoint: EmbeddingEndpoint | null,
      signal: AbortSignal,
    ): Promise<Passages['passages']>;
  };
  budgets: Pick<CallBudgets, 'budgetOf' | 'report'>;
  models: {
    modelsOf: ModelsOf;
    embedderOf: EmbedderOf;
    pictureRefusals: Pick<PictureRefusals, 'add'>;
    /** Null: it is not used. */
    ollama: Pick<Ollama, 'keepLoaded'> | null;
    /** The built-in voice that fits a face. Null: the default. */
    voiceOf: (avatarId: string) => string | null;
  };
  clock: Pick<Clock, 'now'>;
};

/** Each method throws `not_found` unless the worker performs the conversation. */
interface WorkerCalls {
  brief(callId: string, workerId: string): Promise<CallBrief>;
  /** A repeated id is ignored. */
  keepLine(callId: string, workerId: string, lineId: string, line: CallLine): Promise<void>;
  /** Counts what the call has cost in all. */
  reportSpending(callId: string, workerId: string, totals: CallSpending): Promise<CallAllowance>;
  /** The call's language model refused a picture: agents with this model see no more. */
  refusePictures(callId: string, workerId: string): Promise<void>;
  /**
   * Passages of the agent's files that match the question, best first. `signal`: the worker no
   * longer waits for them.
   */
  passages(
    callId: string,
    workerId: string,
    question: string,
    signal: AbortSignal,
  ): Promise<Passages>;
}

export function createWorkerCalls(parts: WorkerCallsParts): WorkerCalls {
  const { calls, callMessages: messages, agents, knowledgeFiles } = parts.records;
  const { knowledge, sessions, budgets, clock } = parts;
  const { modelsOf, embedderOf, pictureRefusals, ollama, voiceOf } = parts.models;

  async function find(callId: string, workerId: string) {
    const halves = await sessions.ofCall(callId);
    const conversation = halves.find(({ kind }) => kind === 'agent');
    const avatarSession = halves.find(({ kind }) => kind === 'avatar');
    const call = await calls.findAny(callId);
    if (!call || !avatarSession || !conversation) throw new Fault('not_found');
    return {
      call,
      avatarSession,
      conversation,
      isCurrent: conversation.workerId === workerId,
      isFormer: conversation.formerWorkerId === workerId,
    };
  }

  async function findLive(callId: string, workerId: string) {
    const { call, avatarSession, conversation, isCurrent } = await find(callId, workerId);
    if (!isCurrent || conversation.status === 'completed') throw new Fault('not_found');
    const agent = await agentOfCall(call, agents);
    if (!agent) throw new Fault('not_found', { detail: 'The agent of this call was deleted.' });
    return { call, avatarSession, agent };
  }

  return {
    async brief(callId, workerId) {
      const { call, avatarSession, agent } = await findLive(callId, workerId);
      const lines = await messages.list(callId);
      const wakeUp = agent.capabilities.find((capability) => capability.type === 'wakeup_mode');
      const voice = agent.voice ?? voiceOf(agent.avatarId);
      const files = await knowledgeFiles.available(call.accountId, agent.knowledgeFileIds);
      if (files.length > 0) knowledge.prepare(agent, await embedderOf(agent));
      if (usesDefaultModel(agent)) ollama?.keepLoaded({ isNewCall: true });
      return {
        callId,
        agentName: agent.name,
        systemPrompt: agent.systemPrompt,
        greeting: agent.greeting,
        language: agent.language,
        leftMs: leftMs(avatarSession, agent, clock.now()),
        user: { identity: userOf(callId), name: call.userName },
        faceIdentity: FACE,
        ...(await modelsOf(agent)),
        ...(voice && { voice }),
        turnTaking: agent.turnTaking,
        ...(wakeUp && { wakeUpPhrases: wakeUp.triggers }),
        hasKnowledge: files.length > 0,
        budget: await budgets.budgetOf(call, agent),
        lines: lines.map(({ sender, message }) => ({ sender, text: message })),
      };
    },

    async keepLine(callId, workerId, lineId, { sender, text, agoMs, since, latency = null }) {
      const { call, conversation, isCurrent, isFormer } = await find(callId, workerId);
      // The former worker may report lines from before its replacement.
      if (!isCurrent && !isFormer) throw new Fault('not_found');
      const now = clock.now();
      if (isTooLate(conversation, now)) throw new Fault('not_found');
      const earlierAt = since ? await messages.sentAt(callId, since.lineId) : null;
      const saidAt = since && earlierAt !== null ? earlierAt + since.ms : now - agoMs;
      // A worker's clock may place the line before the call, or after now. The earlier line is
      // dated too late by the delay of its request, but no line may change places with it.
      const latest = Math.max(now, earlierAt ?? now);
      const sentAt = Math.max(call.createdAt, Math.round(Math.min(saidAt, latest)));
      await parts.lines.addMessage(callId, { sender, message: text, sentAt, latency }, lineId);
    },

    async reportSpending(callId, workerId, totals) {
      const { call, avatarSession, conversation, isCurrent } = await find(callId, workerId);
      if (!isCurrent || isTooLate(conversation, clock.now())) throw new Fault('not_found');
      const agent = await agentOfCall(call, agents);
      if (!agent) throw new Fault('not_found');
      if (usesDefaultModel(agent)) ollama?.keepLoaded({ isNewCall: false });
      const { startedAt, endedAt } = avatarSession;
      const lengthMs = startedAt === null ? 0 : (endedAt ?? clock.now()) - startedAt;
      const seconds = Math.max(0, Math.floor(lengthMs / 1_000));
      return budgets.report(call, agent, { ...totals, seconds });
    },

    async refusePictures(callId, workerId) {
      const { agent } = await findLive(callId, workerId);
      const { llm } = await modelsOf(agent);
      if (llm) pictureRefusals.add(agent.llm, llm.model);
    },

    async passages(callId, workerId, question, signal) {
      const { agent } = await findLive(callId, workerId);
      const endpoint = await embedderOf(agent);
      return { passages: await knowledge.find(agent, question, endpoint, signal) };
    },
  };
}

const usesDefaultModel = ({ llm }: CallAgent): boolean => llm?.type !== 'openai_compatible';

const isTooLate = ({ endedAt }: SessionRecord, now: number): boolean =>
  endedAt !== null && now - endedAt > LATE_LINES_MS;

/** The limit counts from the first frame. */
function leftMs(
  { startedAt, maxLengthMinutes }: SessionRecord,
  agent: CallAgent,
  now: number,
): number {
  const wholeMs = (maxLengthMinutes ?? agent.maxSessionLengthMinutes) * 60_000;
  return Math.max(0, wholeMs - (startedAt === null ? 0 : now - startedAt));
}
