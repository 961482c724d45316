import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/account.ts';
import type { ApiKeys } from '../accounts/keys.ts';
import { Fault } from '../errors.ts';
import { PAGE_TOKEN_HEADER, type PageTokens } from './page-token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling: set before any handler under /v1 runs. */
    account: Account;
  }
}

export type Callers = {
  keys: ApiKeys;
  pageTokens: PageTokens;
  /** Whom our own pages act for. */
  firstAccount: Account;
};

/** Every route of `app` wants a caller that is known, before its body is even read. */
export function requireCaller(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('account');
  app.addHook('onRequest', async (request) => {
    request.account = await findCaller(request, callers);
  });
}

async function findCaller(request: FastifyRequest, callers: Callers): Promise<Account> {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string' && key !== '') {
    const known = await callers.keys.check(key);
    if (!known) throw new Fault('api_key_invalid');
    return known.account;
  }
  const pageToken = request.headers[PAGE_TOKEN_HEADER];
  if (typeof pageToken === 'string' && mayPagesCall(request)) {
    if (callers.pageTokens.check(pageToken)) return callers.firstAccount;
    throw new Fault('api_key_invalid', { detail: 'This page token is not valid any more.' });
  }
  throw new Fault('api_key_required');
}

/** What a page of ours needs, and no more. */
const mayPagesCall = (request: FastifyRequest): boolean =>
  /^\/v1\/(sessions|avatars)(\/|$)/.test(request.routeOptions.url ?? '');
