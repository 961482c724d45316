/*
 * A call is a session that is the face of a managed agent, in a room of ours, with a token for the user. Its record is written with the
 * session's and moves with it, each in one transaction with what webhooks are told.
 *
 * The face speaks for the user's own identity: while the user is there it stays, and when the user has left for the grace that a voice
 * agent is given it leaves, which ends the session and with it the call.
 */
import { newName, newRecordId } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import { callEnded, callStarted, messageSaid } from '../events/events.ts';
import type { AgentRecords } from '../records/agents.ts';
import type { AvatarRecords } from '../records/avatars.ts';
import type { CallMessage, CallMessageRecords } from '../records/call-messages.ts';
import type { CallRecord, CallRecords } from '../records/calls.ts';
import type { Outbox } from '../records/outbox.ts';
import type { Page, PageRequest } from '../records/pages.ts';
import type { SessionWatcher } from '../records/sessions.ts';
import type { OpenSession } from './openings.ts';
import type { Sessions } from './sessions.ts';
import { VIDEO } from './video.ts';

/** Published clients show the participant of exactly this identity as the agent. */
const FACE = 'avatar_worker';

export type OpenCall = Pick<CallRecord, 'agentId' | 'userName' | 'userEmail' | 'tags'> &
  Pick<OpenSession, 'idempotencyKey' | 'maxLive' | 'admit'>;

export type CallParts = {
  calls: CallRecords;
  messages: CallMessageRecords;
  agents: Pick<AgentRecords, 'find'>;
  avatars: Pick<AvatarRecords, 'find'>;
  sessions: Pick<Sessions, 'open' | 'end'>;
  outbox: Outbox;
};

export interface Calls {
  /** Throws `at_capacity` when no slot comes free in time. `repeated`: an earlier request with the same key opened it. */
  open(
    account: { id: string },
    request: OpenCall,
  ): Promise<{ call: CallRecord; repeated: boolean }>;
  find(accountId: string, id: string): Promise<CallRecord | null>;
  page(accountId: string, request: PageRequest): Promise<Page<CallRecord>>;
  end(call: CallRecord): Promise<void>;
  /** In order; null when the account has no such call. */
  messages(accountId: string, id: string): Promise<CallMessage[] | null>;
  addMessage(callId: string, message: CallMessage): Promise<void>;
}

export function createCalls(parts: CallParts): Calls {
  const { calls, messages, agents, avatars, sessions, outbox } = parts;
  return {
    async open(account, { agentId, userName, userEmail, tags, ...request }) {
      const agent = await agents.find(account.id, agentId);
      if (!agent) throw new Fault('not_found', { about: { agent_id: agentId } });
      const id = newRecordId();
      const user = newName('user');
      const { session, repeated } = await sessions.open(account, {
        ...request,
        transport: 'mediaserver',
        // It may be kept for others since the agent was made.
        avatarId: avatars.find(account.id, agent.avatarId).id,
        video: VIDEO,
        maxLengthMinutes: agent.maxSessionLengthMinutes,
        metadata: {},
        callId: id,
        identities: { avatar: FACE, agent: user, viewer: user },
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
    page: (accountId, request) => calls.page(accountId, request),

    async end({ accountId, sessionId }) {
      await sessions.end(accountId, sessionId);
    },

    async messages(accountId, id) {
      return (await calls.find(accountId, id)) && messages.list(id);
    },

    async addMessage(callId, said) {
      // PostgreSQL keeps no NUL in text.
      const message = { ...said, message: said.message.replaceAll('\0', '') };
      await messages.add(callId, message, async (trx) => {
        await outbox.tell(trx, messageSaid(await calls.get(trx, callId), message));
      });
    },
  };
}

/** Moves a call with its session, and tells it. */
export const callWatcher =
  ({ calls, messages, outbox }: Pick<CallParts, 'calls' | 'messages' | 'outbox'>): SessionWatcher =>
  async (trx, { callId, status, startedAt, endedAt, createdAt }, change) => {
    if (callId === null) return;
    const call = await calls.move(trx, callId, { status, startedAt, endedAt });
    const event =
      change === 'started'
        ? callStarted(call, startedAt ?? createdAt)
        : callEnded(call, await messages.list(callId, trx), endedAt ?? createdAt);
    await outbox.tell(trx, event);
  };
