import { Command } from 'commander';
import { accountPath, listAll } from '../accounts.ts';
import { adminApi } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';
import { print, table } from '../printing.ts';
import { shortTime } from '../times.ts';

type Domain = { id: string; domain: string; role: string; created_at: string };
type AccountOption = { account?: string };

const ACCOUNT = 'the account; default: the first one';

export const domainCommand = (context: CliContext) =>
  new Command('domain')
    .description('e-mail domains whose people join an account: add, list, remove')
    .addHelpText(
      'after',
      `
People whose verified e-mail address is in a domain join its account when they first sign in with the OpenID provider.
These commands use the admin API, with TROUPE_ADMIN_PASSWORD.`,
    )
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(removeCommand(context));

const addCommand = (context: CliContext) =>
  new Command('add')
    .description('give a domain, without its subdomains, to an account')
    .argument('<domain>', 'the part after the @, for example example.com')
    .option('--role <role>', 'role of the people who join: viewer, builder or owner', 'viewer')
    .option('--account <id>', ACCOUNT)
    .addHelpText(
      'after',
      `
Only give domains in which the provider confirms addresses for their real owners alone.

Examples:
  $ troupe domain add example.com
  $ troupe domain add example.com --role builder --account 0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11`,
    )
    .action(async (name: string, { role, account }: { role: string } & AccountOption) => {
      const { api, path } = await domainsOf(context, account);
      const domain = await api.json<Domain>({ method: 'POST', path, body: { domain: name, role } });
      print(context, domain, () => [`People of ${domain.domain} join as ${domain.role}.`]);
    });

const listCommand = (context: CliContext) =>
  new Command('list')
    .description('list the domains of an account, newest first')
    .option('--account <id>', ACCOUNT)
    .addHelpText('after', '\nExamples:\n  $ troupe domain list')
    .action(async ({ account }: AccountOption) => {
      const { api, path } = await domainsOf(context, account);
      const domains = await listAll<Domain>(api, path);
      print(context, { data: domains }, () =>
        table([
          ['DOMAIN', 'ROLE', 'CREATED'],
          ...domains.map(({ domain, role, created_at: createdAt }) => [
            domain,
            role,
            shortTime(createdAt),
          ]),
        ]),
      );
    });

const removeCommand = (context: CliContext) =>
  new Command('remove')
    .description('take a domain away from an account; people who have joined stay')
    .argument('<domain>', 'the domain, as `troupe domain list` prints it')
    .option('--account <id>', ACCOUNT)
    .addHelpText('after', '\nExamples:\n  $ troupe domain remove example.com')
    .action(async (name: string, { account }: AccountOption) => {
      const { api, path } = await domainsOf(context, account);
      const domains = await listAll<Domain>(api, path);
      const domain = domains.find((each) => each.domain === name.toLowerCase());
      if (!domain)
        throw new CliError(
          `The account has no domain '${name}': see \`troupe domain list\`. Another account may have it: name it in --account.`,
          5,
        );
      await api.nothing({ method: 'DELETE', path: `${path}/${domain.id}` });
      print(context, { ...domain, removed: true }, () => [`Removed ${domain.domain}.`]);
    });

async function domainsOf(context: CliContext, account: string | undefined) {
  const api = await adminApi(
    context,
    'Domains need TROUPE_ADMIN_PASSWORD, in the environment or in .env.',
  );
  return { api, path: `${await accountPath(context, api, account)}/domains` };
}
