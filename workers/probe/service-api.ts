import { randomUUID } from 'node:crypto';
import { delay, type Clock } from '#shared/clock.ts';
import { fetchProblem } from '#shared/network/fetch-problem.ts';
import { APIError, RedirectError, TroupeError } from '../../src/clients/typescript/src/errors.ts';
import { Troupe } from '../../src/clients/typescript/src/generated/troupe.ts';
import { ProbeFailure, ServiceRefusal, type ServiceApi } from './probe.ts';

type ApiOptions = { url: string; apiKey: string; avatarId: string; clock: Clock };

const POLL_MS = 200;
/** The service ends the session by itself if the probe is killed. */
const MAX_MINUTES = 2;
/** The signals of the probe limit its steps: this is the longest time of a timer. */
const NO_LIMIT_MS = 2 ** 31 - 1;

export function serviceApi({ url, apiKey, avatarId, clock }: ApiOptions): ServiceApi {
  const baseUrl = url.replace(/\/+$/, '');
  // A repeat would hide what the probe is to find.
  const { sessions } = new Troupe({ apiKey, baseUrl, maxRetries: 0, timeoutMs: NO_LIMIT_MS });
  const idempotencyKey = randomUUID();

  const answerOf = async <Answer extends { id: string }>(request: Promise<Answer>) => {
    const session = await request.catch((error: unknown) => {
      throw error instanceof TroupeError ? toFailure(error, baseUrl) : error;
    });
    if (typeof session?.id !== 'string') throw new ServiceRefusal(`${baseUrl} ${NO_SESSION}`);
    return session;
  };

  return {
    async open(signal) {
      const request = {
        avatar_id: avatarId,
        max_session_length_minutes: MAX_MINUTES,
        metadata: { source: 'troupe-probe' },
      };
      const session = await answerOf(sessions.create(request, { signal, idempotencyKey }));
      const room = session.transport === 'botroom' ? undefined : session.room;
      return {
        id: session.id,
        room: room
          ? { url: room.url, agentToken: room.agent_token, viewerToken: room.viewer_token }
          : null,
      };
    },

    async find(id, signal) {
      const session = await answerOf(sessions.retrieve(id, { signal }));
      const { status, end_reason: endReason, end_detail: endDetail } = session;
      return {
        status: status.type,
        ...(endReason !== undefined && { endReason }),
        ...(endDetail !== undefined && { endDetail }),
      };
    },

    async end(id, signal) {
      let { status } = await answerOf(sessions.end(id, { signal }));
      while (status.type !== 'completed') {
        await delay(clock, POLL_MS, signal);
        ({ status } = await answerOf(sessions.retrieve(id, { signal })));
      }
    },
  };
}

const NO_SESSION = 'did not answer with a session. Is it the address of Troupe?';

function toFailure(error: TroupeError, baseUrl: string): ProbeFailure {
  const { method, path } = error.request!;
  const request = `${method} ${baseUrl}${path}`;
  if (error instanceof APIError)
    return new ServiceRefusal(`${request} answered ${error.status}: ${reasonOf(error)}`);
  if (error instanceof RedirectError) {
    const target = error.location ?? 'another address';
    return new ServiceRefusal(`${request} redirects to ${target}: set --url to the final address.`);
  }
  if (error.cause instanceof SyntaxError) return new ServiceRefusal(`${request} ${NO_SESSION}`);
  return new ProbeFailure(`${request}: ${fetchProblem(error.cause)}.`, { cause: error });
}

function reasonOf({ body, problems, isFromProxy }: APIError): string {
  if (isFromProxy) return 'no reason';
  const { detail, reason } = body;
  const sentence = Array.isArray(detail) ? problems.map(({ msg }) => msg).join('; ') : detail;
  return `${sentence ?? 'no reason'}${typeof reason === 'string' ? ` (${reason})` : ''}`;
}
