import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../errors.ts';

type Known = { pattern: RegExp; methods: Set<string> };

/** 404 for a path that no route fits, 405 with Allow where only the method is wrong. Call it after CORS, before any route is registered. */
export function replyToUnknownPath(app: FastifyInstance): void {
  const known = new Map<string, Known>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const route = known.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() };
    for (const name of [method].flat()) route.methods.add(name);
    known.set(url, route);
  });

  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const path = request.url.split('?')[0] ?? '';
    const fitting = [...known.values()].filter((route) => route.pattern.test(path));
    if (fitting.length === 0) throw new Fault('not_found');
    reply.header('allow', [...new Set(fitting.flatMap((route) => [...route.methods]))].join(', '));
    throw new Fault('method_not_allowed');
  };
  // Before a body is read: what is wrong with it does not matter.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) refuse(request, reply);
    // Nothing has such a name, and PostgreSQL cannot even be asked for it.
    if (Object.values(request.params as object).some(hasNul)) throw new Fault('not_found');
  });
  // A route may find out later that there is nothing (a file that is not there).
  app.setNotFoundHandler(refuse);
}

const hasNul = (part: unknown): boolean => typeof part === 'string' && part.includes('\0');

function toPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? toNamed(part) : part.replace(SPECIAL, '\\$&')));
  return new RegExp(`^${parts.join('/')}/?$`);
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** `:id`, or `:id(^[a-f]+$)` where only some names will do. */
const toNamed = (part: string): string => /\(\^(.+)\$\)$/.exec(part)?.[1] ?? '[^/]+';
