/*
 * Deprecated paths. Every answer under one, errors too, says since when it is deprecated, what took its place and, once that is decided,
 * when it ends; after that day it answers 410. The link holds the prefix to put in the place of the older one, as the interface's rule
 * for migration reads it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';

export type OlderPath = {
  successor: string;
  /** The day from which it is deprecated: `2026-01-01`, UTC. */
  since: string;
  /** The day on which it stops. */
  sunset?: string;
};

/** By the part that follows `/v1/`. */
const OLDER_PATHS: Readonly<Record<string, OlderPath>> = {
  session: { successor: 'sessions', since: '2026-01-01' },
  avatar: { successor: 'avatars', since: '2026-01-01' },
  agent: { successor: 'agents', since: '2026-01-01' },
  'external-api': { successor: 'external-apis', since: '2026-01-01' },
};

export interface OlderPaths {
  /** Call it before anything can refuse the request. */
  mark(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void;
  /** Throws for a path whose day has come. */
  check(request: FastifyRequest): void;
}

export function olderPaths(clock: Clock, table = OLDER_PATHS): OlderPaths {
  const find = (request: FastifyRequest): OlderPath | undefined => {
    const name = /^\/v1\/([a-z-]+)(?=[/?]|$)/.exec(request.url)?.[1];
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
