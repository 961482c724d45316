import { isoTime } from '#shared/iso-time.ts';
import { NotFoundError } from '../clients/typescript/src/errors.ts';
import type { Transport } from '../clients/typescript/src/transport.ts';
import { readKeyLimits } from '../start/commands/key-limits.ts';
import { createLocalKey, listLocalKeys, revokeLocalKey } from '../start/commands/local-keys.ts';
import { accountPath, listAll } from './accounts.ts';
import { adminApi } from './api-client.ts';
import type { CliContext } from './cli-context.ts';
import { CliError } from './exit-codes.ts';
import { localSettings } from './settings.ts';

/*
 * Where keys are kept: the records of this machine, or a service that is reached by its admin API.
 */
export type Key = {
  id: string;
  name: string;
  scope: 'all' | 'operator';
  scopes: string[] | null;
  expires_at: string | null;
  allowed_networks: string[] | null;
  created_at: string;
  last_used_at: string | null;
  last_used_address: string | null;
  revoked_at: string | null;
};

/** As the options of the command name them. */
export type KeyRequest = {
  name: string;
  scope: string;
  scopes?: string;
  expires?: string;
  networks?: string;
};

export type KeySource = {
  create(request: KeyRequest): Promise<Key & { key: string }>;
  list(): Promise<Key[]>;
  /** False if there is no such key. */
  revoke(id: string): Promise<boolean>;
};

const NO_PASSWORD =
  'Keys of a service on another machine need TROUPE_ADMIN_PASSWORD, in the environment or in .env. Without --url and TROUPE_URL, the command uses the keys of this machine.';

export async function keySource(
  context: CliContext,
  account: string | undefined,
): Promise<KeySource> {
  const isRemote = context.options.url !== undefined || Boolean(context.env['TROUPE_URL']);
  if (isRemote) return remoteKeys(context, await adminApi(context, NO_PASSWORD), account);
  if (account === undefined) return localKeys(context);
  throw new CliError(
    '--account needs --url or TROUPE_URL: on this machine, the command uses the first account.',
    2,
  );
}

async function localKeys(context: CliContext): Promise<KeySource> {
  const settings = await localSettings(context);
  return {
    async create(request) {
      const { text, ...key } = await createLocalKey(settings, {
        ...readRequest(request, context),
        command: 'troupe key create',
      });
      return { ...toKey(key), key: text };
    },
    list: async () => (await listLocalKeys(settings)).map(toKey),
    revoke: (id) => revokeLocalKey(settings, { id, command: 'troupe key revoke' }),
  };
}

type LocalKey = Awaited<ReturnType<typeof listLocalKeys>>[number];

const toKey = (key: LocalKey): Key => ({
  id: key.id,
  name: key.name,
  scope: key.scope,
  scopes: key.scopes,
  expires_at: timeOrNull(key.expiresAt),
  allowed_networks: key.allowedNetworks,
  created_at: isoTime(key.createdAt),
  last_used_at: timeOrNull(key.lastUsedAt),
  last_used_address: key.lastUsedAddress,
  revoked_at: timeOrNull(key.revokedAt),
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

function remoteKeys(context: CliContext, api: Transport, account: string | undefined): KeySource {
  const keysPath = async () => `${await accountPath(context, api, account)}/keys`;
  return {
    async create(request) {
      const { name, scope, limits } = readRequest(request, context);
      const body = {
        name,
        scope,
        scopes: limits.scopes,
        expires_at: timeOrNull(limits.expiresAt),
        allowed_networks: limits.allowedNetworks,
      };
      return api.json({ method: 'POST', path: await keysPath(), body });
    },
    list: async () => listAll<Key>(api, await keysPath()),
    async revoke(id) {
      try {
        const path = `${await keysPath()}/${encodeURIComponent(id)}`;
        await api.nothing({ method: 'DELETE', path });
        return true;
      } catch (error) {
        if (error instanceof NotFoundError) return false;
        throw error;
      }
    },
  };
}

function readRequest({ name, scope, ...limits }: KeyRequest, { clock }: CliContext) {
  if (!isScope(scope))
    return refuse(`There is no scope '${scope}': --scope takes all or operator.`);
  return { name, scope, limits: readKeyLimits(limits, { scope, now: clock.now(), refuse }) };
}

const isScope = (text: string): text is 'all' | 'operator' => text === 'all' || text === 'operator';

function refuse(problem: string): never {
  throw new CliError(problem, 2);
}
