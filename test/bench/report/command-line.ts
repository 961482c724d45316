import { parseArgs } from 'node:util';
import type { Bench } from '../bench.ts';

export type Command =
  | { type: 'run'; benches: Bench[]; json: string | null; compare: string | null }
  | { type: 'help' }
  | { type: 'wrong'; problem: string };

/** Without names: all benches except those that run only when named. Benches run in list order. */
export function readCommand(args: string[], benches: Bench[]): Command {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        json: { type: 'string' },
        compare: { type: 'string' },
      },
    });
    if (values.help) return { type: 'help' };
    const unknown = positionals.find((name) => !benches.some((bench) => bench.name === name));
    if (unknown !== undefined) return { type: 'wrong', problem: `unknown bench ${unknown}` };
    const wanted = benches.filter(({ name, onlyByName }) =>
      positionals.length === 0 ? !onlyByName : positionals.includes(name),
    );
    return {
      type: 'run',
      benches: wanted,
      json: values.json ?? null,
      compare: values.compare ?? null,
    };
  } catch (error) {
    return { type: 'wrong', problem: (error as Error).message };
  }
}

export function usage(benches: Bench[]): string {
  const width = Math.max(...benches.map(({ name }) => name.length));
  const list = (all: Bench[]) =>
    all.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`).join('\n');
  return `Usage: npm run bench [-- NAME ... --json FILE --compare FILE]

Measures the service beside a floor of the same run, prints a table and writes it as JSON.
  --json FILE     where to write the JSON; default: dist/bench/TIME.json
  --compare FILE  an earlier run's JSON: prints before and after
  --help          this text

Exit code: 0 goals met; 1 a goal missed, or a bench failed; 2 wrong usage; 3 the machine was too busy to
judge a goal, so run again.

Benches:
${list(benches.filter(({ onlyByName }) => !onlyByName))}

Only by name, for they take long:
${list(benches.filter(({ onlyByName }) => onlyByName))}
`;
}
