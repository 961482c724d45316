import { parseCommand } from '#shared/process/command-line.ts';
import type { Bench } from '../bench.ts';

/** The name of a set of benches. */
const MEDIA = 'media';

export type Command =
  | { type: 'run'; benches: Bench[]; json: string | null; compare: string | null }
  | { type: 'help' }
  | { type: 'wrong'; problem: string };

/** Without names: all benches but those that run by name only. In the order of the list. */
export function readCommand(args: string[], benches: Bench[]): Command {
  const parsed = parseCommand(
    {
      usage: usage(benches),
      options: { json: { type: 'string' }, compare: { type: 'string' } },
      positionals: { min: 0, max: Infinity },
    },
    args,
  );
  if (parsed.type !== 'run') return parsed;
  const { values, positionals } = parsed;
  const unknown = positionals.find(
    (name) => name !== MEDIA && !benches.some((bench) => bench.name === name),
  );
  if (unknown !== undefined) return { type: 'wrong', problem: `There is no bench '${unknown}'.` };
  const isNamed = ({ name, isOfMedia }: Bench) =>
    positionals.includes(name) || (isOfMedia && positionals.includes(MEDIA));
  const selection = benches.filter((bench) =>
    positionals.length === 0 ? !bench.onlyByName : isNamed(bench),
  );
  return {
    type: 'run',
    benches: selection,
    json: values.json ?? null,
    compare: values.compare ?? null,
  };
}

export function usage(benches: Bench[]): string {
  const width = Math.max(...benches.map(({ name }) => name.length));
  const list = (group: Bench[]) =>
    group.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`).join('\n');
  return `Usage: npm run bench [-- NAME ... --json FILE --compare FILE]

Measures the service beside a bare baseline in the same run, prints a table and writes it as JSON.
  --json FILE     where to write the JSON; default: dist/bench/TIME.json
  --compare FILE  an earlier run's JSON: prints before and after
  --help          this text

Exit code: 0 all goals met; 1 a goal missed or a bench failed; 2 wrong usage; 3 the machine was too busy to judge a goal:
run again.

Benches:
${list(benches.filter(({ onlyByName }) => !onlyByName))}

Run by name only, or all of them by the name \`media\`: the time limits of the journeys of the same names:
${list(benches.filter(({ isOfMedia }) => isOfMedia))}

Run by name only, because they take long:
${list(benches.filter(({ onlyByName, isOfMedia }) => onlyByName && !isOfMedia))}
`;
}
