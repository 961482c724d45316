/*
 * Rooms in which a person tries an agent of their own, on our media server. Troupe brings nothing
 * but the room: the media server dispatches the agent, whose plugin asks for its avatar.
 */
import { createHash } from 'node:crypto';
import {
  AgentDispatchClient,
  RoomAgentDispatch,
  RoomServiceClient,
  TwirpError,
} from 'livekit-server-sdk';
import { JOB_STATUSES, type JobStatus } from '#protocol/agent-jobs.ts';
import { newName } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import { roomToken } from './room-token.ts';

/** A job that an agent has taken. The media server does not learn how it ends. */
export type AgentJob = {
  status: JobStatus;
  /** Empty without one. */
  error: string;
};

/** A request for agents. `agentName`: empty with automatic dispatch. */
export type Dispatch = { agentName: string; at: number; jobs: AgentJob[] };

type Visitor = { identity: string; name: string };

export interface AgentRooms {
  /** `agentName`: empty for automatic dispatch. */
  open(
    accountId: string,
    agentName: string,
    visitor: Visitor,
  ): Promise<{ url: string; name: string; token: string }>;
  isOf(accountId: string, name: string): boolean;
  /** Null: the room is closed. */
  dispatches(name: string): Promise<Dispatch[] | null>;
  /** Asks for an agent again: a room asks once, when it opens. */
  dispatch(name: string, agentName: string): Promise<void>;
  /** Ignores a room that is already closed. */
  close(name: string): Promise<void>;
}

type MediaServerSettings = { url: string; publicUrl: string; apiKey: string; apiSecret: string };

const EMPTY_SECONDS = 60;
const DEPARTURE_SECONDS = 20;
const REQUEST_SECONDS = 3;
const TOKEN_LIFE = '2 hours';

/** `secret` keeps the rooms of accounts apart. */
export function openAgentRooms(
  { url, publicUrl, apiKey, apiSecret }: MediaServerSettings,
  secret: Buffer,
): AgentRooms {
  const options = { requestTimeout: REQUEST_SECONDS, failover: false };
  const service = new RoomServiceClient(url, apiKey, apiSecret, options);
  const agents = new AgentDispatchClient(url, apiKey, apiSecret, options);
  const prefixOf = (accountId: string): string =>
    `playground-${createHash('sha256').update(secret).update(accountId).digest('hex').slice(0, 12)}`;

  return {
    async open(accountId, agentName, visitor) {
      const name = newName(prefixOf(accountId));
      const [token] = await Promise.all([
        roomToken({ apiKey, apiSecret }, name, { ...visitor, ttl: TOKEN_LIFE }),
        service
          .createRoom({
            name,
            emptyTimeout: EMPTY_SECONDS,
            departureTimeout: DEPARTURE_SECONDS,
            ...(agentName !== '' && { agents: [new RoomAgentDispatch({ agentName })] }),
          })
          .catch(unanswered),
      ]);
      return { url: publicUrl, name, token };
    },

    isOf: (accountId, name) => name.startsWith(`${prefixOf(accountId)}-`),

    async dispatches(name) {
      try {
        const dispatches = await agents.listDispatch(name);
        return dispatches.map(({ agentName, state }) => ({
          agentName,
          at: Number((state?.createdAt ?? 0n) / 1_000_000n),
          jobs: (state?.jobs ?? []).map((job) => ({
            status: JOB_STATUSES[job.state?.status ?? 0],
            error: job.state?.error ?? '',
          })),
        }));
      } catch (error) {
        if (isNotFound(error)) return null;
        return unanswered(error);
      }
    },

    async dispatch(name, agentName) {
      await agents.createDispatch(name, agentName).catch(unanswered);
    },

    async close(name) {
      await service.deleteRoom(name).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

function unanswered(cause: unknown): never {
  throw new Fault('at_capacity', {
    detail: 'The media server does not answer. Please try again shortly.',
    retryAfterSeconds: 2,
    cause,
  });
}

const isNotFound = (error: unknown): boolean => error instanceof TwirpError && error.status === 404;
