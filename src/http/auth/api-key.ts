import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withoutPort } from '#shared/network/networks.ts';
import type { Account } from '../../accounts/account.ts';
import { permits } from '../../accounts/key-scopes.ts';
import type { KnownKey } from '../../accounts/keys.ts';
import { scopesOf } from '../../accounts/people/roles.ts';
import type { SignedIn } from '../../accounts/people/sign-ins.ts';
import { Fault } from '../../errors.ts';
import type { KeyScope } from '../../records/accounts/api-keys.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import type { Services } from '../services.ts';
import { actorOf } from '../console/console-access.ts';
import { keyOf } from './credentials.ts';
import { requireScope } from './key-scope.ts';
import { PAGE_TOKEN_HEADER } from './page-token.ts';
import { addressOf, limitKeys } from '../limits/rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's account. Set before any handler under /v1 runs. */
    account: Account;
    scope: KeyScope;
    /** Resources that the key may use; null: all. */
    scopes: string[] | null;
    /** Null for Troupe's own pages and for people at the console. */
    keyId: string | null;
    /** Null for callers without a cookie. */
    signedIn: SignedIn | null;
    /** Rate limit key: requests with equal values count together. */
    limitedAs: string;
  }
  interface FastifyContextConfig {
    /** The route also accepts keys with the scope `operator`. */
    isForOperators?: boolean;
  }
}

export type Caller = {
  account: Account;
  scope: KeyScope;
  scopes: string[] | null;
  keyId: string | null;
  signedIn: SignedIn | null;
  actor: Actor;
  limitedAs: string;
};

/**
 * Every route of `app` requires a known caller within its rate limit. Checked before the body is
 * read.
 */
export function requireCaller(app: FastifyInstance, services: Services): void {
  app.decorateRequest('account');
  app.decorateRequest('scope', 'all');
  app.decorateRequest('scopes', null);
  app.decorateRequest('keyId', null);
  app.decorateRequest('signedIn', null);
  app.decorateRequest('limitedAs', '');
  app.addHook('onRequest', async (request, reply) => {
    Object.assign(request, await findCaller(request, reply, services));
  });
  limitKeys(app);
  app.addHook('onRequest', async (request) => {
    const { scope, routeOptions } = request;
    if (scope === 'operator' && !routeOptions.config.isForOperators) throw new Fault('forbidden');
    requireScope(request);
  });
}

/** Throws unless the key has the scope `operator`. */
export async function requireOperator(request: FastifyRequest, services: Services): Promise<void> {
  const key = keyOf(request);
  if (key === null) throw new Fault('forbidden');
  const { scope, scopes } = await checkKey(key, request, services);
  if (scope !== 'operator' || !permits(scopes, 'fleet', 'read')) throw new Fault('forbidden');
}

async function findCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<Caller> {
  const { pageTokens, pageAccount, consoleAccess, limits } = services;
  const key = keyOf(request);
  const pageToken = request.headers[PAGE_TOKEN_HEADER];
  if (key !== null) {
    if (pageToken !== undefined) throw new Fault('credentials_ambiguous');
    const caller = await checkKey(key, request, services);
    await refuseOtherAccount(request, caller, services);
    return caller;
  }
  const isPage = typeof pageToken === 'string' && mayPagesCall(request);
  if (isPage && pageTokens.opens(pageToken)) {
    const account = await pageAccount();
    return {
      account,
      scope: 'all',
      scopes: null,
      keyId: null,
      signedIn: null,
      actor: { type: 'page', id: null, name: null },
      limitedAs: `page ${addressOf(request)}`,
    };
  }
  const signedIn = isPage ? null : await consoleAccess.find(request, reply);
  if (signedIn) return personCaller(request, signedIn, services);
  limits.countStranger(request);
  if (isPage) {
    throw new Fault('api_key_invalid', { detail: 'This page token is no longer valid.' });
  }
  throw new Fault('api_key_required');
}

/** A browser adds its cookie by itself, so one of the same account is fine. */
async function refuseOtherAccount(
  request: FastifyRequest,
  { account }: Caller,
  { consoleAccess }: Services,
): Promise<void> {
  const signedIn = await consoleAccess.peek(request);
  if (signedIn?.account && signedIn.account.id !== account.id) {
    throw new Fault('credentials_ambiguous');
  }
}

/** Operators act as such on the routes that are for them alone, and where they ask for it. */
const AS_HEADER = 'x-troupe-as';

async function personCaller(
  { headers, routeOptions: { url = '', config } }: FastifyRequest,
  signedIn: SignedIn,
  { pageAccount }: Services,
): Promise<Caller> {
  const { person, account } = signedIn;
  const isOperator = person.operatorSince !== null;
  const isForOperators = url.startsWith('/v1/fleet') || headers[AS_HEADER] === 'operator';
  const about = {
    keyId: null,
    signedIn,
    actor: actorOf(person),
    limitedAs: `person ${person.id}`,
  };
  if (isOperator && config.isForOperators === true && (isForOperators || !account)) {
    const operatorAccount = account ?? (await pageAccount());
    return { ...about, account: operatorAccount, scope: 'operator', scopes: null };
  }
  if (!account || person.role === null) {
    throw new Fault('forbidden', { detail: 'You do not belong to an account.' });
  }
  return { ...about, account, scope: 'all', scopes: scopesOf(person.role) };
}

/** Throws for an unusable key, or `rate_limit` after too many of them from one address. */
export async function checkKey(
  text: string,
  request: FastifyRequest,
  services: Services,
): Promise<Caller> {
  const knownKey = await services.keys.check(text);
  if (knownKey) return keyCaller(knownKey, request, services);
  services.limits.countStranger(request);
  throw new Fault('api_key_invalid');
}

/** Throws for a key that has expired or may not be used from the caller's address. */
export function keyCaller(
  { account, key }: KnownKey,
  request: FastifyRequest,
  { keys, keyUse, limits }: Services,
): Caller {
  const address = withoutPort(request.ip);
  const refusal = keys.refusal(key, address);
  if (refusal) {
    limits.countStranger(request);
    request.log.warn({ keyId: key.id, refusal }, 'API key refused');
    throw refusals[refusal]();
  }
  keyUse.record(key, address);
  return {
    account,
    scope: key.scope,
    scopes: key.scopes,
    keyId: key.id,
    signedIn: null,
    actor: { type: 'key', id: key.id, name: key.name },
    limitedAs: `key ${key.id}`,
  };
}

const refusals = {
  expired: () => new Fault('api_key_invalid', { detail: 'This API key has expired.' }),
  wrong_network: () =>
    new Fault('forbidden', { detail: 'This API key may not be used from this address.' }),
};

/** Only what Troupe's own pages need. */
function mayPagesCall({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  if (/^\/v1\/avatars(\/|$)/.test(url)) return true;
  if (/^\/v1\/agents(\/|$)/.test(url) && method === 'GET') return true;
  return /^\/v1\/sessions(?!.*\/still$)(\/|$)/.test(url) && method !== 'DELETE';
}
