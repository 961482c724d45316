/* CORS: which origins may call which paths. */
import type { FastifyRequest } from 'fastify';
import { RATE_LIMIT_HEADERS } from '../limits/rate-limit.ts';
import { requestPath } from '../request-path.ts';

const EXPOSED_HEADERS = [
  'deprecation',
  'link',
  'sunset',
  'retry-after',
  'x-request-id',
  ...Object.values(RATE_LIMIT_HEADERS),
];

type CorsAnswer = (error: Error | null, options: object) => void;

/**
 * Any origin may call the API, which needs a key. The chat routes need none, so they are limited to
 * the room page: another page could open calls from its visitors' addresses.
 */
export const allowOrigins =
  (chatOrigin: string | null) =>
  (request: FastifyRequest, answer: CorsAnswer): void => {
    const { origin } = request.headers;
    // Only browsers send Origin; other clients need no CORS headers.
    const isAllowed = isChat(request) ? origin === chatOrigin : isForAnyPage(request);
    if (!origin || !isAllowed) return answer(null, { origin: false });
    answer(null, {
      origin: isChat(request) ? origin : '*',
      methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
      allowedHeaders: isChat(request)
        ? 'authorization, content-type'
        : 'x-api-key, authorization, content-type, idempotency-key, last-event-id',
      exposedHeaders: EXPOSED_HEADERS.join(', '),
      maxAge: 86_400,
      strictPreflight: false,
    });
  };

const isChat = ({ url }: FastifyRequest): boolean => /^\/v1\/chat(\/|$)/.test(requestPath(url));

export const isForAnyPage = (request: FastifyRequest): boolean =>
  /^\/v1(\/|$)/.test(requestPath(request.url)) && !isChat(request);
