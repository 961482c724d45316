import { randomUUID } from 'node:crypto';
import { delay, type Clock } from '#shared/clock.ts';
import {
  ProbeFailure,
  ServiceRefusal,
  type ProbeSession,
  type ServiceApi,
  type SessionState,
} from './probe.ts';

/** The answers of the API, as far as the probe reads them. */
type SessionBody = {
  id: string;
  status: { type: string };
  end_reason?: string;
  end_detail?: string;
  room?: { url: string; agent_token: string; viewer_token: string };
};
type ErrorBody = { detail?: string | { msg: string }[]; reason?: string };

type ApiOptions = {
  url: string;
  apiKey: string;
  avatarId: string;
  clock: Clock;
  /** Default: the global one. */
  fetch?: typeof fetch;
};

const POLL_MS = 200;
/** The service ends the session by itself if the probe is killed. */
const MAX_MINUTES = 2;

export function serviceApi({ url, apiKey, avatarId, clock, ...given }: ApiOptions): ServiceApi {
  const send = given.fetch ?? fetch;
  const idempotencyKey = randomUUID();
  const base = url.replace(/\/*$/, '/');

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    { body, headers }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<SessionBody> => {
    const request = `${method} ${base}${path}`;
    const reply = await send(`${base}${path}`, {
      method,
      signal,
      headers: {
        'x-api-key': apiKey,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new ProbeFailure(`${request}: ${networkProblem(error)}.`, { cause: error });
    });
    const text = await reply.text().catch((error: unknown) => {
      throw new ProbeFailure(`${request}: ${networkProblem(error)}.`, { cause: error });
    });
    if (!reply.ok)
      throw new ServiceRefusal(`${request} answered ${reply.status}: ${refusalOf(text)}`);
    const answer = parse(text);
    if (typeof answer?.id !== 'string')
      throw new ServiceRefusal(
        `${request} did not answer with a session. Is it the address of Troupe?`,
      );
    return answer;
  };

  return {
    async open(signal): Promise<ProbeSession> {
      const { id, room } = await call('POST', 'v1/sessions', signal, {
        body: {
          avatar_id: avatarId,
          max_session_length_minutes: MAX_MINUTES,
          metadata: { source: 'troupe-probe' },
        },
        headers: { 'idempotency-key': idempotencyKey },
      });
      return {
        id,
        room: room
          ? { url: room.url, agentToken: room.agent_token, viewerToken: room.viewer_token }
          : null,
      };
    },

    async find(id, signal): Promise<SessionState> {
      const {
        status,
        end_reason: reason,
        end_detail: detail,
      } = await call('GET', `v1/sessions/${id}`, signal);
      return {
        status: status.type,
        ...(reason !== undefined && { endReason: reason }),
        ...(detail !== undefined && { endDetail: detail }),
      };
    },

    async end(id, signal): Promise<void> {
      let { status } = await call('POST', `v1/sessions/${id}/end`, signal);
      while (status.type !== 'completed') {
        await delay(clock, POLL_MS, signal);
        ({ status } = await call('GET', `v1/sessions/${id}`, signal));
      }
    },
  };
}

function refusalOf(text: string): string {
  const { detail, reason } = (parse(text) ?? {}) as ErrorBody;
  const sentence = Array.isArray(detail) ? detail.map(({ msg }) => msg).join('; ') : detail;
  return `${sentence ?? 'no reason'}${reason ? ` (${reason})` : ''}`;
}

function parse(text: string): SessionBody | null {
  try {
    return JSON.parse(text) as SessionBody;
  } catch {
    return null;
  }
}

/** fetch hides the reason in `cause`; an error of several addresses has a code only. */
function networkProblem(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
