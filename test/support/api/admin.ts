import type { InjectOptions } from 'fastify';
import type { PlanName } from '../../../src/accounts/plan.ts';
import { noteSecretsOf } from '../kept-logs.ts';
import type { BuiltApp } from './build-app.ts';

export const TROUPE_ADMIN_PASSWORD = 'a password of the operator';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Calls the admin API of an app that was built with `TROUPE_ADMIN_PASSWORD`. */
export const adminCall =
  (service: BuiltApp) =>
  async (method: Method, path: string, options: Omit<InjectOptions, 'method' | 'url'> = {}) => {
    const reply = await service.app.server.inject({
      method,
      url: `/admin${path}`,
      ...options,
      headers: { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}`, ...options.headers },
    });
    noteSecretsOf(options.payload, reply);
    return reply;
  };

/** Creates an account with a key, as headers for `service.call`. */
export async function makeAccount(
  service: BuiltApp,
  plan: PlanName,
  scope: 'all' | 'operator' = 'all',
) {
  const call = adminCall(service);
  const account = (await call('POST', '/accounts', { payload: { name: 'somebody', plan } })).json();
  const path = `/accounts/${account.id}/keys`;
  const key = (await call('POST', path, { payload: { name: 'a key', scope } })).json();
  return {
    id: account.id as string,
    keyId: key.id as string,
    headers: { 'x-api-key': key.key as string },
  };
}

export const FIRST_ACCOUNT = '00000000-0000-4000-8000-000000000001';

/** Changes the first account, whose key `service.call` sends. */
export async function changePlan(service: BuiltApp, plan: PlanName): Promise<void> {
  await adminCall(service)('PATCH', `/accounts/${FIRST_ACCOUNT}`, { payload: { plan } });
}
