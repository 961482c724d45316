/*
 * A call has two sessions in a room of ours, the avatar and the conversation of a managed agent,
 * and a token for the user. Its record follows the avatar session, and each change commits together
 * with its event. When either session ends, the other one ends in the same transaction.
 *
 * The conversation ends when the user has been away for the agent's grace period.
 */
import { newRecordId } from '#shared/ids.ts';
import { FACE } from '#protocol/room-terms.ts';
import { Fault } from '../errors.ts';
import { callStarted, messageAdded } from '../events/events.ts';
import { settingsOf, type AgentRecords } from '../records/agents/agents.ts';
import type { EndedBy } from '../records/audit/audit-log.ts';
import type { CallMessage, CallMessageRecords } from '../records/calls/call-messages.ts';
import type { CallFilter, CallRecord, CallRecords } from '../records/calls/calls.ts';
import type { Outbox } from '../records/webhooks/outbox.ts';
import type { Page, PageRequest } from '../records/engine/pages.ts';
import type { Transaction } from '../records/engine/database.ts';
import type { SessionWatcher } from '../records/sessions/sessions.ts';
import type { AgentArrivals } from './agent-arrivals.ts';
import type { CallBudgets } from './budgets/call-budgets.ts';
import { roomMetadata } from './agent-losses.ts';
import type { CallEvents } from './call-events.ts';
import type { SessionCreation } from '../sessions/creation/session-creation.ts';
import type { NewSession } from '../sessions/creation/new-session.ts';
import type { SessionEnding } from '../sessions/ending/session-ending.ts';
import { type Screen, SCREEN_SIZES, videoFor } from '../sessions/video.ts';
import type { Visitors } from './visitors.ts';
import type { VideoWish } from '#protocol/pictures/frames.ts';

/** Participant identities in the call's room. */
export const userOf = (callId: string): string => `user-${callId}`;
const agentOf = (callId: string): string => `agent-${callId}`;

/**
 * How long the tokens of workers outlast the call's time limit: the wait for the avatar, and the
 * last sentence.
 */
const TOKEN_MARGIN_SECONDS = 10 * 60;
/**
 * For joining. The media server renews the tokens of connected participants, each for ten minutes
 * too; a user who returns later gets a new one here while the call is open.
 */
const USER_TOKEN_SECONDS = 10 * 60;

type OpenCall = Pick<CallRecord, 'agentId' | 'userName' | 'userEmail' | 'tags'> &
  Pick<NewSession, 'idempotencyKey' | 'maxLive' | 'pool' | 'admit'> & {
    /** Keeps the caller's place in line; null asks for one. */
    lineTicket?: string | null | undefined;
    video?: VideoWish | undefined;
    /** The shape of the user's screen, for an agent without a size of its own. */
    screen?: Screen | undefined;
    /** Address of a visitor of the room page. Absent for a call opened with a key. */
    visitorAddress?: string;
  };

export type CallParts = {
  records: {
    calls: CallRecords;
    callMessages: CallMessageRecords;
    agents: Pick<AgentRecords, 'find'>;
  };
  avatars: {
    performing(
      accountId: string,
      avatarId: string,
    ): Promise<{ id: string; bundleHash: string | null }>;
  };
  sessions: { creation: Pick<SessionCreation, 'open'>; ending: Pick<SessionEnding, 'end'> };
  rooms: {
    viewerToken(
      room: string,
      viewer: { identity: string; name: string | null; seconds: number },
    ): Promise<string>;
  };
  limits: { visitors: Visitors; budgets: Pick<CallBudgets, 'check' | 'open'> };
  arrivals: Pick<AgentArrivals, 'expect'>;
  outbox: Pick<Outbox, 'add'>;
  callEvents: CallEvents;
};

export interface Calls {
  /**
   * Waits until the agent listens, but only a few seconds. Throws `at_capacity` if no slot is free
   * in time. `repeated`: an earlier request with this key opened it.
   */
  open(
    account: { id: string },
    request: OpenCall,
  ): Promise<{ call: CallRecord; repeated: boolean }>;
  find(accountId: string, id: string): Promise<CallRecord | null>;
  /** A call with this agent. Ignores the owner. */
  ofAgent(agentId: string, id: string): Promise<CallRecord | null>;
  page(accountId: string, request: PageRequest, filter?: CallFilter): Promise<Page<CallRecord>>;
  /** Another room token for the user; null if the call is over. */
  userToken(call: CallRecord): Promise<string | null>;
  /** `by`: for the audit log. */
  end(call: CallRecord, by?: EndedBy): Promise<void>;
  /** A repeated id is ignored. Throws `too_large` if the transcript is full. */
  addMessage(callId: string, message: CallMessage, id: string): Promise<void>;
}

export function createCalls(parts: CallParts): Calls {
  const { sessions, avatars, rooms, arrivals, outbox, callEvents } = parts;
  const { visitors, budgets } = parts.limits;
  const { calls, callMessages: messages, agents } = parts.records;
  const open = async (id: string, account: { id: string }, opened: OpenCall) => {
    const {
      agentId,
      userName,
      userEmail,
      tags,
      lineTicket,
      visitorAddress,
      video,
      screen,
      ...request
    } = opened;
    const agent = await agents.find(account.id, agentId);
    if (!agent) throw new Fault('not_found', { about: { agent_id: agentId } });
    // The avatar may have been reserved for other accounts since the agent was created.
    const avatar = await avatars.performing(account.id, agent.avatarId);
    const openedFrom = visitorAddress === undefined ? null : visitors.hash(visitorAddress);
    const checkVisitor = async (trx?: Transaction) => {
      if (openedFrom !== null) await visitors.check({ agentId, openedFrom }, trx);
    };
    const { session, repeated } = await sessions.creation.open(account, {
      ...request,
      // Early, so that a refused call takes no slot.
      async admit() {
        await request.admit?.();
        const { id: accountId } = account;
        await budgets.check({ accountId, agentId, agent, visitor: openedFrom });
        await checkVisitor();
      },
      transport: 'mediaserver',
      avatarId: avatar.id,
      bundleHash: avatar.bundleHash,
      video: videoFor(video, agent.video, screen && { size: SCREEN_SIZES[screen] }),
      maxLengthMinutes: agent.maxSessionLengthMinutes,
      metadata: {},
      callId: id,
      line: { ticket: lineTicket, visitor: openedFrom },
      newRoom: {
        identities: { avatar: FACE, agent: agentOf(id), viewer: userOf(id) },
        viewerName: userName || null,
        metadata: roomMetadata(),
        tokenSeconds: Math.ceil(agent.maxSessionLengthMinutes * 60) + TOKEN_MARGIN_SECONDS,
        viewerSeconds: USER_TOKEN_SECONDS,
      },
      async alongside(trx, { id: sessionId, createdAt }, room) {
        if (!room) throw new Error('call opened without a new room');
        // Again: of two requests at once both may have passed.
        await checkVisitor(trx);
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
          openedFrom,
          rating: null,
          ratingComment: null,
          createdAt,
        });
        await budgets.open(trx, { id, openedFrom, createdAt });
      },
    });
    const call = session.callId && (await calls.find(account.id, session.callId));
    // The idempotency key belongs to a session that is not a call.
    if (!call) throw new Fault('conflict');
    return { call, repeated };
  };
  return {
    async open(account, request) {
      const id = newRecordId();
      const agent = arrivals.expect(id);
      try {
        const opening = await open(id, account, request);
        if (!opening.repeated) await agent.arrived;
        return opening;
      } finally {
        agent.forget();
      }
    },

    find: (accountId, id) => calls.find(accountId, id),
    ofAgent: (agentId, id) => calls.ofAgent(agentId, id),
    page: (accountId, request, filter) => calls.page(accountId, request, filter),

    async userToken({ id, roomName, userName, status }) {
      if (status === 'completed') return null;
      const viewer = { identity: userOf(id), name: userName, seconds: USER_TOKEN_SECONDS };
      return rooms.viewerToken(roomName, viewer);
    },

    async end({ accountId, sessionId }, by) {
      await sessions.ending.end(accountId, sessionId, by);
    },

    async addMessage(callId, callMessage, id) {
      // PostgreSQL rejects NUL in text.
      const message = { ...callMessage, message: callMessage.message.replaceAll('\0', '') };
      let isNew = false;
      await messages.add(callId, id, message, async (trx) => {
        isNew = true;
        await outbox.add(trx, messageAdded(await calls.get(trx, callId), message));
      });
      const { sentAt, latency } = message;
      if (isNew && latency)
        callEvents.emit('answer.timed', { callId, lineId: id, sentAt, latency });
    },
  };
}

type CallWatcherParts = {
  records: { calls: Pick<CallRecords, 'move'> };
  outbox: Pick<Outbox, 'add'>;
};

/**
 * Updates a call with its avatar session and adds `call.started`. `call.ended` follows the
 * evaluation.
 */
export const callWatcher =
  ({ records: { calls }, outbox }: CallWatcherParts): SessionWatcher =>
  async (trx, { kind, callId, status, startedAt, endedAt, createdAt }, change) => {
    if (callId === null || kind === 'agent') return;
    const call = await calls.move(trx, callId, { status, startedAt, endedAt });
    if (change === 'started') await outbox.add(trx, callStarted(call, startedAt ?? createdAt));
  };
