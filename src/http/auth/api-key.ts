import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account.ts';
import type { KeyUse } from '../../accounts/key-use.ts';
import type { ApiKeys } from '../../accounts/keys.ts';
import { Fault } from '../../errors.ts';
import type { KeyScope } from '../../records/api-keys.ts';
import { bearerOf, keyOf } from './credentials.ts';
import { PAGE_TOKEN_HEADER, type PageTokens } from './page-token.ts';
import { addressOf, limitKeys, type RateLimits } from '../limits/rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling: set before any handler under /v1 runs. */
    account: Account;
    /** What the caller's key opens. */
    scope: KeyScope;
    /** Null for a page of ours. */
    keyId: string | null;
    /** Whose requests are counted together. */
    limitedAs: string;
  }
  interface FastifyContextConfig {
    /** Answers keys of the scope `operator` too. */
    isForOperators?: boolean;
  }
}

export type Callers = {
  keys: Pick<ApiKeys, 'check'>;
  keyUse: Pick<KeyUse, 'note'>;
  pageTokens: PageTokens;
  /** Whom our own pages act for. */
  pageAccount: () => Promise<Account>;
};

type Caller = { account: Account; scope: KeyScope; keyId: string | null; limitedAs: string };

/** Every route of `app` wants a caller that is known, and does not ask too often, before its body is even read. */
export function requireCaller(app: FastifyInstance, callers: Callers, limits: RateLimits): void {
  app.decorateRequest('account');
  app.decorateRequest('scope', 'all');
  app.decorateRequest('keyId', null);
  app.decorateRequest('limitedAs', '');
  app.addHook('onRequest', async (request) => {
    Object.assign(request, await findCaller(request, callers, limits));
  });
  limitKeys(app);
  app.addHook('onRequest', async ({ scope, routeOptions }) => {
    if (scope === 'operator' && !routeOptions.config.isForOperators) throw new Fault('forbidden');
  });
}

/** Throws for anybody but an operator. */
export async function requireOperator(
  request: FastifyRequest,
  callers: Callers,
  limits: RateLimits,
): Promise<void> {
  const key = keyOf(request) ?? bearerOf(request);
  if (key === null) throw new Fault('forbidden');
  const { scope } = await checkKey(key, request, callers, limits);
  if (scope !== 'operator') throw new Fault('forbidden');
}

async function findCaller(
  request: FastifyRequest,
  callers: Callers,
  limits: RateLimits,
): Promise<Caller> {
  const key = keyOf(request);
  if (key !== null) return checkKey(key, request, callers, limits);

  const pageToken = request.headers[PAGE_TOKEN_HEADER];
  const isPage = typeof pageToken === 'string' && mayPagesCall(request);
  if (isPage && callers.pageTokens.check(pageToken)) {
    const account = await callers.pageAccount();
    return { account, scope: 'all', keyId: null, limitedAs: `page ${addressOf(request)}` };
  }
  limits.countStranger(request);
  if (isPage) {
    throw new Fault('api_key_invalid', { detail: 'This page token is not valid any more.' });
  }
  throw new Fault('api_key_required');
}

/** The caller that an API key belongs to. Throws for an unknown one, and for a stranger who has tried too many. */
export async function checkKey(
  text: string,
  request: FastifyRequest,
  { keys, keyUse }: Callers,
  limits: RateLimits,
): Promise<Caller> {
  const known = await keys.check(text);
  if (!known) {
    limits.countStranger(request);
    throw new Fault('api_key_invalid');
  }
  keyUse.note(known.key);
  const { account, key } = known;
  return { account, scope: key.scope, keyId: key.id, limitedAs: `key ${key.id}` };
}

/** What a page of ours needs, and no more. */
const mayPagesCall = (request: FastifyRequest): boolean =>
  /^\/v1\/(sessions|avatars)(\/|$)/.test(request.routeOptions.url ?? '');
