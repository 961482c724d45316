/*
 * Deprecated paths. Every answer, errors included, carries `Deprecation` (RFC 9745), a `Link` to
 * the successor's path prefix and, once it is scheduled, `Sunset` (RFC 8594). From the sunset on,
 * the path answers 410.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import { requestPath } from '../plumbing/request-path.ts';

type OlderPath = {
  successor: string;
  /** UTC date of the deprecation, as `2026-01-01`. */
  since: string;
  /** UTC date from which the path answers 410. */
  sunset?: string;
};

/** Keyed by the path segment after `/v1/`. */
const OLDER_PATHS: Readonly<Record<string, OlderPath>> = {
  session: { successor: 'sessions', since: '2026-01-01' },
  avatar: { successor: 'avatars', since: '2026-01-01' },
  agent: { successor: 'agents', since: '2026-01-01' },
  'external-api': { successor: 'external-apis', since: '2026-01-01' },
};

interface OlderPaths {
  /** Call before anything can refuse the request. */
  mark(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void;
  /** Throws for a path past its sunset. */
  check(request: FastifyRequest): void;
}

export function olderPaths(clock: Clock, table = OLDER_PATHS): OlderPaths {
  const find = (request: FastifyRequest): OlderPath | undefined => {
    const name = /^\/v1\/([a-z-]+)(?=\/|$)/.exec(requestPath(request.url))?.[1];
    return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
  };
  return {
    mark(request, reply, baseUrl) {
      const older = find(request);
      if (!older) return;
      reply.header('deprecation', `@${Date.parse(older.since) / 1000}`);
      reply.header('link', `<${baseUrl}/v1/${older.successor}>; rel="successor-version"`);
      if (older.sunset) reply.header('sunset', new Date(older.sunset).toUTCString());
    },
    check(request) {
      const sunset = find(request)?.sunset;
      if (sunset && clock.now() >= Date.parse(sunset)) throw new Fault('retired');
    },
  };
}
