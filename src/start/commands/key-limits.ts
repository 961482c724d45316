import { networksProblem } from '#shared/network/networks.ts';
import { isOpenTo, RESOURCE_SCOPES } from '../../accounts/key-scopes.ts';
import type { KeyLimits, KeyScope } from '../../records/accounts/api-keys.ts';

type KeyOptions = { scopes?: string; expires?: string; networks?: string };

type Context = { scope: KeyScope; now: number; refuse: (problem: string) => never };

/**
 * The limits that the options of `npm run key` ask for. Calls `refuse` for those that no request
 * could meet.
 */
export function readKeyLimits(options: KeyOptions, { scope, now, refuse }: Context): KeyLimits {
  return {
    scopes: options.scopes === undefined ? null : readScopes(options.scopes),
    expiresAt: options.expires === undefined ? null : readExpiry(options.expires),
    allowedNetworks: options.networks === undefined ? null : readNetworks(options.networks),
  };

  function readScopes(list: string): string[] {
    const scopes = entriesOf(list);
    if (scopes.length === 0) refuse('--scopes is empty.');
    const wrong = scopes.find((each) => !KNOWN.has(each) || !isOpenTo(scope, each));
    if (wrong !== undefined) refuse(`A key of the scope '${scope}' cannot have '${wrong}'.`);
    return scopes;
  }

  function readExpiry(text: string): number {
    const time = TIME.test(text) ? Date.parse(text) : NaN;
    if (!(time > now)) refuse(`--expires must be a time in the future, not '${text}'.`);
    return time;
  }

  function readNetworks(list: string): string[] {
    const networks = entriesOf(list);
    if (networks.length === 0) refuse('--networks is empty.');
    const problem = networksProblem(list);
    if (problem !== null) refuse(`--networks ${problem}.`);
    return networks;
  }
}

const KNOWN: ReadonlySet<string> = new Set(RESOURCE_SCOPES);

/** A date in UTC, or a time with its zone. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function entriesOf(list: string): string[] {
  const entries = list.split(',').map((entry) => entry.trim());
  return [...new Set(entries.filter(Boolean))];
}
