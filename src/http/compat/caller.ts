import type { FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account.ts';
import { permits } from '../../accounts/key-scopes.ts';
import { Fault } from '../../errors.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import type { MediaServer } from '../../rooms/media-servers.ts';
import { checkKey, keyCaller, type Caller } from '../auth/api-key.ts';
import { onlyCredential } from '../auth/credentials.ts';
import type { Call, VendorAdapter, KeyForm } from './vendor-adapter.ts';
import type { VendorServices } from './vendor-services.ts';
import { valueAt } from './field-paths.ts';
import type { Pass } from './tokens.ts';

export type VendorCaller = {
  account: Account;
  limitedAs: string;
  actor: Actor;
  /** Null for the holder of a media server's key. */
  keyId: string | null;
  /** From an earlier call of the same session start. */
  pass?: Pass;
  /** Media servers whose key signed the request. */
  mediaServers: readonly MediaServer[];
};

/** Authenticates the caller by the forms of key that the vendor's plugin uses. */
export async function findVendorCaller(
  services: VendorServices,
  adapter: VendorAdapter,
  call: Call,
  request: FastifyRequest,
): Promise<VendorCaller> {
  const pass = await readPass(services, adapter, call, request);
  if (pass) return { ...(await passCaller(services, pass, request)), pass };

  const text = keyIn(request, keyFormsOf(adapter, call));
  if (text === null) {
    services.limits.countStranger(request);
    throw new Fault('api_key_required');
  }
  if (adapter.key === 'media server') return findKeyHolder(services, text, request);

  return toVendorCaller(await checkKey(text, request, services));
}

/** A pass ends with the key that it was made with. */
async function passCaller(
  services: VendorServices,
  { keyId }: Pass,
  request: FastifyRequest,
): Promise<VendorCaller> {
  const knownKey = await services.keys.checkId(keyId);
  if (knownKey) return toVendorCaller(keyCaller(knownKey, request, services));
  services.limits.countStranger(request);
  throw new Fault('api_key_invalid', { detail: PASS_ENDED });
}

function toVendorCaller({ account, scope, scopes, limitedAs, actor, keyId }: Caller): VendorCaller {
  if (scope !== 'all' || !permits(scopes, 'sessions', 'write')) throw new Fault('forbidden');
  return { account, limitedAs, actor, keyId, mediaServers: [] };
}

const PASS_ENDED = 'This session token is no longer valid.';

/** Null if the call takes no pass, or got a key instead. */
async function readPass(
  { vendorTokens, limits }: VendorServices,
  adapter: VendorAdapter,
  call: Call,
  request: FastifyRequest,
): Promise<Pass | null> {
  if (call.does !== 'open' || !call.pass) return null;
  const text = textIn(request, [call.pass]);
  const pass = text === null ? null : await vendorTokens.readPass(adapter.word, text);
  // A header may contain a key instead of a pass.
  if (pass || text === null || 'header' in call.pass) return pass;
  limits.countStranger(request);
  throw new Fault('api_key_invalid', { detail: PASS_ENDED });
}

/** Holders of a media server's key act for the first account, like Troupe's own pages. */
async function findKeyHolder(
  { pageAccount, limits, mediaServers, clock }: VendorServices,
  token: string,
  request: FastifyRequest,
): Promise<VendorCaller> {
  const now = clock.now();
  const signed = await Promise.all(mediaServers.map((server) => server.hasSigned(token, now)));
  const signers = mediaServers.filter((_, index) => signed[index]);
  if (signers.length === 0) {
    limits.countStranger(request);
    const detail =
      'This token has expired, or is not an inference token signed with the key of a known media server.';
    throw new Fault('api_key_invalid', { detail });
  }
  const account = await pageAccount();
  const name = `media server ${signers[0]?.url}`;
  return {
    account,
    limitedAs: name,
    actor: { type: 'key', id: null, name },
    keyId: null,
    mediaServers: signers,
  };
}

const bearer = { header: 'authorization', scheme: 'Bearer' } as const;

export const keyFormsOf = (adapter: VendorAdapter, call: Call): readonly KeyForm[] => {
  if (adapter.key === 'media server') return [bearer];
  return call.does === 'prepare' ? (call.key ?? adapter.key) : adapter.key;
};

/** Throws for different keys in several of the places, or beside the header of Troupe's own key. */
function keyIn(request: FastifyRequest, forms: readonly KeyForm[]): string | null {
  const texts = forms.map((form) => textIn(request, [form]));
  const key = texts.find((text) => text !== null) ?? null;
  if (key !== null) onlyCredential([...texts, textIn(request, [{ header: 'x-api-key' }])]);
  return key;
}

function textIn({ headers, body }: FastifyRequest, forms: readonly KeyForm[]): string | null {
  for (const form of forms) {
    const value = 'field' in form ? valueAt(body, form.field) : headers[form.header];
    const text = typeof value === 'string' ? afterScheme(value, form) : '';
    if (text !== '') return text;
  }
  return null;
}

function afterScheme(value: string, form: KeyForm): string {
  if (!('scheme' in form)) return value;
  const [scheme = '', text = ''] = value.split(/ +(.*)/s);
  return scheme.toLowerCase() === form.scheme.toLowerCase() ? text : '';
}
