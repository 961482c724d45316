import { systemClock } from '#shared/clock.ts';
import { command, runAsProgram, type Arguments } from '#shared/process/command.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import { readKeyLimits } from './key-limits.ts';
import { consoleLink } from '#shared/network/page-link.ts';
import { createLocalKey, listLocalKeys, revokeLocalKey } from './local-keys.ts';
import { createLocalLink } from './local-links.ts';
import { readSettings } from './settings.ts';

const spec = {
  usage: `Usage: npm run key -- --name NAME [--scope all|operator] [--scopes LIST] [--expires TIME] [--networks LIST]
       npm run key -- list | revoke ID | console [--name PERSON [--account ID]]

Creates an API key of the first account and prints it once. Works in the folder of the service, also while it runs.
  list             shows the keys of the first account
  revoke ID        ends a key at once
  console          prints a link that signs in to the console, once, within 15 minutes: the first owner, or the
                   person of that name, with --account where several accounts have one
  --name NAME      what the key is for
  --scope SCOPE    all (default), or operator: metrics, fleet and audit log only
  --scopes LIST    limits the key further, for example sessions:write,calls:read
  --expires TIME   time at which the key expires: 2030-01-31, or 2030-01-31T12:00:00Z
  --networks LIST  accepts the key only from these networks, for example 203.0.113.0/24,2001:db8::/32`,
  options: {
    name: { type: 'string' },
    scope: { type: 'string', default: 'all' },
    scopes: { type: 'string' },
    expires: { type: 'string' },
    networks: { type: 'string' },
    account: { type: 'string' },
  },
  positionals: { min: 0, max: 2 },
} as const;
/** Its name in the audit log. */
const COMMAND = 'npm run key';

export const key = command(spec, async (line, { env }) => {
  const run = runOf(line);
  return run(readSettings(env));
});

type Line = Arguments<(typeof spec)['options']>;
type Run = (settings: Settings) => Promise<string>;

function runOf(line: Line): Run {
  const {
    positionals: [name, id],
    refuse,
  } = line;
  if (name === 'revoke') return revoke(id ?? refuse('The id of the key is missing.'));
  if (id !== undefined) return refuse(`Unexpected argument '${id}'.`);
  if (name === 'list') return list;
  if (name === 'console') return link(line.values);
  return name === undefined ? create(line) : refuse(`There is no command '${name}'.`);
}

/** Reads the options at once, so that a wrong one is refused before the records are opened. */
function create({ values, refuse }: Line): Run {
  const name = values.name || refuse('--name is missing.');
  const scope = isScope(values.scope)
    ? values.scope
    : refuse(`There is no scope '${values.scope}'.`);
  const limits = readKeyLimits(values, { scope, now: systemClock.now(), refuse });
  return async (settings) => {
    const { text } = await createLocalKey(settings, { name, scope, limits, command: COMMAND });
    return `${text}\n`;
  };
}

async function list(settings: Settings): Promise<string> {
  const keys = await listLocalKeys(settings);
  const rows = keys.map(({ id, scope, revokedAt, expiresAt, lastUsedAt, name }) => [
    id,
    scope,
    stateOf({ revokedAt, expiresAt }),
    lastUsedAt === null ? 'never' : new Date(lastUsedAt).toISOString().slice(0, 16),
    name,
  ]);
  return [['ID', 'SCOPE', 'STATE', 'LAST USED', 'NAME'], ...rows]
    .map(([id = '', scope = '', state = '', used = '', name = '']) =>
      [id.padEnd(38), scope.padEnd(10), state.padEnd(9), used.padEnd(18), name, '\n'].join(''),
    )
    .join('');
}

function stateOf({ revokedAt, expiresAt }: Pick<LocalKey, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= systemClock.now() ? 'expired' : 'valid';
}

function revoke(id: string): Run {
  return async (settings) => {
    const isRevoked = await revokeLocalKey(settings, { id, command: COMMAND });
    if (!isRevoked) throw new OperatorError(`There is no key with the id ${id}.`);
    return `${id} is revoked.\n`;
  };
}

function link({ name: person, account: accountId }: Line['values']): Run {
  return async (settings) => {
    const code = await createLocalLink(settings, { person, accountId, command: COMMAND });
    if (code === null) throw new OperatorError(`There is no person called ${person}.`);
    const address = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
    return `${consoleLink(address, code)}\n`;
  };
}

type Settings = ReturnType<typeof readSettings>;
type LocalKey = Awaited<ReturnType<typeof listLocalKeys>>[number];

function isScope(text: string): text is 'all' | 'operator' {
  return text === 'all' || text === 'operator';
}

await runAsProgram(import.meta.url, key);
