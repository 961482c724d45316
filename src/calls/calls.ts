/*
 * A call is the face of a managed agent and its conversation, each a session of its own, in a room of ours, with a token for the user. Its
 * record is written with theirs and moves with the face's, each in one transaction with what webhooks are told. Whichever of the two ends
 * first ends the other one, in the same transaction.
 *
 * The conversation ends when the user has left for the grace that its agent gives; the face speaks for the agent, and would leave after it.
 */
import { newRecordId } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import { callStarted, messageSaid } from '../events/events.ts';
import { settingsOf, type AgentRecords } from '../records/agents.ts';
import type { CallMessage, CallMessageRecords } from '../records/call-messages.ts';
import type { CallRecord, CallRecords } from '../records/calls.ts';
import type { Outbox } from '../records/outbox.ts';
import type { Page, PageRequest } from '../records/engine/pages.ts';
import type { SessionWatcher } from '../records/sessions/sessions.ts';
import { roomMetadata } from './agent-losses.ts';
import type { OpenSession } from '../sessions/session-creation.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { VIDEO } from '../sessions/video.ts';

/** Published clients show the participant of exactly this identity as the agent. */
export const FACE = 'avatar_worker';

/** Who they are in the call's room. */
export const userOf = (callId: string): string => `user-${callId}`;
const agentOf = (callId: string): string => `agent-${callId}`;

export type OpenCall = Pick<CallRecord, 'agentId' | 'userName' | 'userEmail' | 'tags'> &
  Pick<OpenSession, 'idempotencyKey' | 'maxLive' | 'pool' | 'admit'>;

export type CallParts = {
  calls: CallRecords;
  messages: CallMessageRecords;
  agents: Pick<AgentRecords, 'find'>;
  avatars: {
    performing(
      accountId: string,
      avatarId: string,
    ): Promise<{ id: string; bundleHash: string | null }>;
  };
  sessions: Pick<Sessions, 'open' | 'end'>;
  outbox: Pick<Outbox, 'tell'>;
};

export interface Calls {
  /** Throws `at_capacity` when no slot comes free in time. `repeated`: an earlier request with the same key opened it. */
  open(
    account: { id: string },
    request: OpenCall,
  ): Promise<{ call: CallRecord; repeated: boolean }>;
  find(accountId: string, id: string): Promise<CallRecord | null>;
  /** One with this agent, whoever owns it. */
  ofAgent(agentId: string, id: string): Promise<CallRecord | null>;
  page(accountId: string, request: PageRequest): Promise<Page<CallRecord>>;
  end(call: CallRecord): Promise<void>;
  /** In order; null when the account has no such call. */
  messages(accountId: string, id: string): Promise<CallMessage[] | null>;
  /** Of one id only the first is kept and told. */
  addMessage(callId: string, message: CallMessage, id: string): Promise<void>;
}

export function createCalls(parts: CallParts): Calls {
  const { calls, messages, agents, avatars, sessions, outbox } = parts;
  return {
    async open(account, { agentId, userName, userEmail, tags, ...request }) {
      const agent = await agents.find(account.id, agentId);
      if (!agent) throw new Fault('not_found', { about: { agent_id: agentId } });
      // It may be kept for others since the agent was made.
      const avatar = await avatars.performing(account.id, agent.avatarId);
      const id = newRecordId();
      const { session, repeated } = await sessions.open(account, {
        ...request,
        transport: 'mediaserver',
        avatarId: avatar.id,
        bundleHash: avatar.bundleHash,
        video: VIDEO,
        maxLengthMinutes: agent.maxSessionLengthMinutes,
        metadata: {},
        callId: id,
        newRoom: {
          identities: { avatar: FACE, agent: agentOf(id), viewer: userOf(id) },
          metadata: roomMetadata(),
        },
        async alongside(trx, { id: sessionId, createdAt }, room) {
          if (!room) throw new Error('a call without a room of ours');
          await calls.insert(trx, {
            id,
            accountId: account.id,
            agentId,
            sessionId,
            roomUrl: room.url,
            roomName: room.name,
            userToken: room.viewerToken,
            userName,
            userEmail,
            tags,
            status: 'to_start',
            startedAt: null,
            endedAt: null,
            evaluation: null,
            agent: settingsOf(agent),
            createdAt,
          });
        },
      });
      const call = session.callId && (await calls.find(account.id, session.callId));
      // The key of a request that opened a session, and was never answered.
      if (!call) throw new Fault('conflict');
      return { call, repeated };
    },

    find: (accountId, id) => calls.find(accountId, id),
    ofAgent: (agentId, id) => calls.ofAgent(agentId, id),
    page: (accountId, request) => calls.page(accountId, request),

    async end({ accountId, sessionId }) {
      await sessions.end(accountId, sessionId);
    },

    async messages(accountId, id) {
      return (await calls.find(accountId, id)) && messages.list(id);
    },

    async addMessage(callId, said, id) {
      // PostgreSQL keeps no NUL in text.
      const message = { ...said, message: said.message.replaceAll('\0', '') };
      await messages.add(callId, id, message, async (trx) => {
        await outbox.tell(trx, messageSaid(await calls.get(trx, callId), message));
      });
    },
  };
}

/** Moves a call with its face, and tells of its begin. Its end is told when it was evaluated. */
export const callWatcher =
  ({ calls, outbox }: Pick<CallParts, 'calls' | 'outbox'>): SessionWatcher =>
  async (trx, { kind, callId, status, startedAt, endedAt, createdAt }, change) => {
    if (callId === null || kind === 'agent') return;
    const call = await calls.move(trx, callId, { status, startedAt, endedAt });
    if (change === 'started') await outbox.tell(trx, callStarted(call, startedAt ?? createdAt));
  };
