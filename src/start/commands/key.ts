import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/command-line.ts';
import { exitFailed } from '#shared/operator-error.ts';
import { readKeyLimits } from './key-limits.ts';
import { createLocalKey } from './local-keys.ts';
import { readSettings } from './settings.ts';

const { values, refuse } = readCommand({
  usage: `Usage: npm run key -- --name NAME [--scope all|operator] [--scopes LIST] [--expires TIME] [--networks LIST]

Makes an API key of the first account and prints it once. Works while the service runs.
  --name NAME      what the key is for
  --scope SCOPE    all (default), or operator: metrics, fleet and audit log only
  --scopes LIST    limits the key further, for example sessions:write,calls:read
  --expires TIME   refuses the key from then on: 2030-01-31, or 2030-01-31T12:00:00Z
  --networks LIST  refuses the key elsewhere, for example 203.0.113.0/24,2001:db8::/32`,
  options: {
    name: { type: 'string' },
    scope: { type: 'string', default: 'all' },
    scopes: { type: 'string' },
    expires: { type: 'string' },
    networks: { type: 'string' },
  },
});
const name = values.name || refuse('--name is missing.');
const scope = isScope(values.scope) ? values.scope : refuse(`There is no scope '${values.scope}'.`);
const limits = readKeyLimits(values, { scope, now: systemClock.now(), refuse });

const settings = readSettings();
try {
  const { text } = await createLocalKey(settings, {
    name,
    scope,
    limits,
    command: 'npm run key',
  });
  process.stdout.write(`${text}\n`);
} catch (error) {
  exitFailed(error);
}

function isScope(text: string): text is 'all' | 'operator' {
  return text === 'all' || text === 'operator';
}
