import { Command } from 'commander';
import type { KeyRequest, KeySource } from '../key-source.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';
import { print, table } from '../printing.ts';
import { shortTime } from '../times.ts';

type AccountOption = { account?: string };

/** Loaded when a key command runs: the records take a tenth of a second to load. */
const sourceOf = async (context: CliContext, account?: string): Promise<KeySource> =>
  (await import('../key-source.ts')).keySource(context, account);

const ACCOUNT = 'the account, with --url; default: the first one';

export const keyCommand = (context: CliContext) =>
  new Command('key')
    .description('API keys: create, list, revoke')
    .addHelpText(
      'after',
      `
Without --url and TROUPE_URL, these are the keys of the first account in the records of this machine (DATA_DIR, by default
the folder data, or DATABASE_URL), whether the service runs or not, after its first start. With them, the admin API is
asked, with TROUPE_ADMIN_PASSWORD.`,
    )
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));

const createCommand = (context: CliContext) =>
  new Command('create')
    .description('create a key and print it once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scope <scope>', 'all, or operator: metrics, fleet and audit log only', 'all')
    .option('--scopes <list>', 'limit the key further, for example sessions:write,calls:read')
    .option(
      '--expires <time>',
      'time at which the key expires: 2030-01-31, or 2030-01-31T12:00:00Z',
    )
    .option(
      '--networks <list>',
      'accept the key only from these networks, for example 203.0.113.0/24',
    )
    .option('--account <id>', ACCOUNT)
    .addHelpText(
      'after',
      `
Only the key is printed, so that a script can keep it.

Examples:
  $ troupe key create --name my-laptop
  $ TROUPE_API_KEY=$(troupe key create --name cli) troupe session list
  $ troupe key create --name ci --scopes sessions:write --expires 2030-01-31`,
    )
    .action(async ({ account, ...request }: KeyRequest & AccountOption) => {
      const newKey = await (await sourceOf(context, account)).create(request);
      print(context, newKey, () => [newKey.key]);
    });

const listCommand = (context: CliContext) =>
  new Command('list')
    .description('list keys without their text, newest first')
    .option('--all', 'include revoked keys')
    .option('--account <id>', ACCOUNT)
    .addHelpText('after', '\nExamples:\n  $ troupe key list\n  $ troupe key list --all --json')
    .action(async ({ all, account }: { all?: true } & AccountOption) => {
      const keys = await (await sourceOf(context, account)).list();
      const listedKeys = keys.filter((key) => all || key.revoked_at === null);
      print(context, { data: listedKeys }, () =>
        table([
          ['ID', 'NAME', 'SCOPE', 'CREATED', 'LAST USED', 'STATE'],
          ...listedKeys.map((key) => [
            key.id,
            key.name,
            key.scopes?.join(',') ?? key.scope,
            shortTime(key.created_at),
            key.last_used_at ? shortTime(key.last_used_at) : '-',
            stateOf(key, context.clock.now()),
          ]),
        ]),
      );
    });

const revokeCommand = (context: CliContext) =>
  new Command('revoke')
    .description('revoke a key; this cannot be undone')
    .argument('<id>', 'id of the key, from `troupe key list`')
    .option('--account <id>', ACCOUNT)
    .addHelpText(
      'after',
      `
A running service refuses it within a second.

Examples:
  $ troupe key revoke 0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11`,
    )
    .action(async (id: string, { account }: AccountOption) => {
      const isRevoked = await (await sourceOf(context, account)).revoke(id);
      if (!isRevoked) {
        throw new CliError(`There is no key with the id '${id}': see \`troupe key list\`.`, 5);
      }
      print(context, { id, revoked: true }, () => [`Revoked ${id}.`]);
    });

function stateOf(key: { revoked_at: string | null; expires_at: string | null }, now: number) {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'valid';
  const isExpired = Date.parse(key.expires_at) <= now;
  return `${isExpired ? 'expired' : 'valid until'} ${shortTime(key.expires_at)}`;
}
