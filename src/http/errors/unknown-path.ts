import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../errors.ts';
import { nearestPath } from './nearest-path.ts';
import { sendNotFoundPage } from '../pages/not-found-page.ts';
import { requestPath } from '../plumbing/request-path.ts';

type KnownRoute = { pattern: RegExp; methods: Set<string>; isPublic: boolean };

/**
 * 404 for an unknown path, as a page for browsers; 405 with `Allow` for a wrong method. Call after
 * CORS and before any route is registered.
 */
export function replyToUnknownPath(app: FastifyInstance): void {
  const routes = new Map<string, KnownRoute>();
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (url.includes('*')) return;
    const isPublic = url.startsWith('/v1/') && schema?.hide !== true;
    const route = routes.get(url) ?? {
      pattern: toPattern(url),
      methods: new Set<string>(),
      isPublic,
    };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });

  const unknown = (path: string): Fault => {
    const open = [...routes].filter(([, { isPublic }]) => isPublic);
    const nearest = nearestPath(
      path,
      open.map(([url]) => url),
    );
    if (nearest === null) return new Fault('not_found');
    const methods = [...routes.get(nearest)!.methods].filter((name) => name !== 'HEAD').sort();
    const suggestion = `${methods.join(', ')} ${nearest.replaceAll(/:(\w+)/g, '{$1}')}`;
    return new Fault('not_found', {
      advice: `This path does not exist. The nearest one is: ${suggestion}. /docs/api lists all.`,
      about: { nearest: suggestion },
    });
  };

  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = requestPath(request.url);
    const matching = [...routes.values()].filter((route) => route.pattern.test(path));
    if (matching.length === 0) {
      if (await sendNotFoundPage(request, reply)) return reply;
      throw unknown(path);
    }
    reply.header('allow', [...new Set(matching.flatMap((route) => [...route.methods]))].join(', '));
    throw new Fault('method_not_allowed');
  };
  // Before the body is read, so that errors in it do not take precedence.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return refuse(request, reply);
    if (Object.values(request.params as object).some(isNoId)) throw new Fault('not_found');
  });
  // Also called by routes, e.g. for a missing static file.
  app.setNotFoundHandler(refuse);
}

/** The router also matches an empty part. PostgreSQL rejects NUL in a query. */
const isNoId = (part: unknown): boolean =>
  typeof part === 'string' && (part === '' || part.includes('\0'));

function toPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? toNamed(part) : part.replace(SPECIAL, '\\$&')));
  return new RegExp(`^${parts.join('/')}/?$`);
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** `:id`, or `:id(^[a-f]+$)` with a pattern. */
const toNamed = (part: string): string => /\(\^(.+)\$\)$/.exec(part)?.[1] ?? '[^/]+';
