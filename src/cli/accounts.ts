/* Accounts of a service, by its admin API. */
import type { Transport } from '../clients/typescript/src/transport.ts';
import { addressOf, MAX_PAGE } from './api-client.ts';
import type { CliContext } from './cli-context.ts';
import { CliError } from './exit-codes.ts';

/** Path of the account, by default the first one. */
export async function accountPath(
  context: CliContext,
  api: Transport,
  account: string | undefined,
): Promise<string> {
  const id = account ?? (await firstAccount(context, api));
  return `/admin/accounts/${encodeURIComponent(id)}`;
}

/** Accounts are listed newest first. */
async function firstAccount(context: CliContext, api: Transport): Promise<string> {
  const accounts = await listAll<{ id: string }>(api, '/admin/accounts');
  const oldestAccount = accounts.at(-1);
  if (!oldestAccount) throw new CliError(`${addressOf(context)} has no account yet.`);
  return oldestAccount.id;
}

export const listAll = <Item>(api: Transport, path: string): Promise<Item[]> =>
  api.pages<Item>({ method: 'GET', path, query: { limit: MAX_PAGE } }).toArray();
