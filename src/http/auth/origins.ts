/* CORS: which origins may call which paths. */
import type { FastifyRequest } from 'fastify';
import { RATE_LIMIT_HEADERS } from '../limits/rate-limit.ts';
import { isAllowedOrigin } from '../agents/agent-origins.ts';
import type { Services } from '../services.ts';
import { requestPath } from '../plumbing/request-path.ts';

const EXPOSED_HEADERS = [
  'deprecation',
  'link',
  'sunset',
  'retry-after',
  'x-request-id',
  ...Object.values(RATE_LIMIT_HEADERS),
];

type CorsAnswer = (error: Error | null, options?: object) => void;

/** Origins of the pages that may show this agent. Empty for an unknown one. */
export type OriginsOfAgent = (agentId: string, request: FastifyRequest) => Promise<string[]>;

/** Unknown agents are looked up, too, so these requests are limited. */
export const originsOfAgents =
  ({ limits, records }: Services): OriginsOfAgent =>
  async (agentId, request) => {
    limits.countStranger(request);
    return (await records.agents.get(agentId))?.allowedOrigins ?? [];
  };

/**
 * Any origin may call the API, which needs a key. The chat routes need none, so they are limited to
 * the room page and to the pages that the agent's owner allows: another page could open calls from
 * its visitors' addresses.
 */
export const allowOrigins =
  (chatOrigin: string | null, originsOf: OriginsOfAgent) =>
  (request: FastifyRequest, answer: CorsAnswer): void => {
    const { origin } = request.headers;
    // Only browsers send Origin; other clients need no CORS headers.
    if (!origin) return answer(null, { origin: false });
    if (!isChat(request)) {
      const headers = 'x-api-key, authorization, content-type, idempotency-key, last-event-id';
      return answer(null, isForAnyPage(request) ? allow('*', headers) : { origin: false });
    }
    const allowed = { ...allow(origin, 'authorization, content-type'), maxAge: CHAT_MAX_AGE };
    if (origin === chatOrigin) return answer(null, allowed);
    originsOf(agentIn(request), request).then(
      (origins) => answer(null, isAllowedOrigin(origin, origins) ? allowed : { origin: false }),
      (error: Error) => answer(error),
    );
  };

/**
 * In seconds. A browser lets a page open calls for this long after the owner removed its origin.
 */
const CHAT_MAX_AGE = 600;

const allow = (origin: string, allowedHeaders: string) => ({
  origin,
  allowedHeaders,
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  exposedHeaders: EXPOSED_HEADERS.join(', '),
  maxAge: 86_400,
  strictPreflight: false,
});

const isChat = ({ url }: FastifyRequest): boolean => /^\/v1\/chat(\/|$)/.test(requestPath(url));

const agentIn = ({ url }: FastifyRequest): string => requestPath(url).split('/')[3] ?? '';

export const isForAnyPage = (request: FastifyRequest): boolean =>
  /^\/v1(\/|$)/.test(requestPath(request.url)) && !isChat(request);
