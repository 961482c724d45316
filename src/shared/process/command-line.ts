import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Exit code for arguments that the usage text does not allow. */
export const WRONG_USAGE = 2;

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Values<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given }>
>['values'];

export type CommandSpec<Given extends Options> = {
  /** Printed for `--help` and after a problem. Its first line reads `Usage: npm run NAME ...`. */
  usage: string;
  options?: Given;
  /** How many positional arguments are allowed. Default: none. */
  positionals?: { min: number; max: number };
};

type ParsedCommand<Given extends Options> =
  | { type: 'run'; values: Values<Given>; positionals: string[] }
  | { type: 'help' }
  | { type: 'wrong'; problem: string };

export function parseCommand<const Given extends Options>(
  spec: CommandSpec<Given>,
  args: string[],
): ParsedCommand<Given> {
  const { min, max } = spec.positionals ?? { min: 0, max: 0 };
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...spec.options, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return { type: 'help' };
    const extra = positionals[max];
    if (extra !== undefined) return { type: 'wrong', problem: `Unexpected argument '${extra}'.` };
    if (positionals.length < min) return { type: 'wrong', problem: 'An argument is missing.' };
    return { type: 'run', values: values as Values<Given>, positionals };
  } catch (error) {
    // Node appends advice about `--` after the first sentence.
    const [problem] = (error as Error).message.split('. ');
    return { type: 'wrong', problem: `${problem?.replace(/\.$/, '')}.` };
  }
}

/**
 * The arguments of this process. Exits with the usage text: 0 for `--help`, 2 for wrong arguments.
 */
export function readCommand<const Given extends Options>(spec: CommandSpec<Given>) {
  const refuse = (problem: string): never => {
    process.stderr.write(`${problem}\n\n${spec.usage.trim()}\n`);
    process.exit(WRONG_USAGE);
  };
  const command = parseCommand(spec, process.argv.slice(2));
  if (command.type === 'wrong') return refuse(command.problem);
  if (command.type === 'help') {
    process.stdout.write(`${spec.usage.trim()}\n`);
    process.exit(0);
  }
  const { values, positionals } = command;
  return {
    values,
    positionals,
    /** Rejects arguments that only the command itself can judge. */
    refuse,
    /** `text` as a number of at least `min`. `name` is its name in the usage text. */
    number: (name: string, text: string, min = 0): number => {
      const value = Number(text);
      if (text.trim() !== '' && Number.isFinite(value) && value >= min) return value;
      return refuse(`${name} must be a number of at least ${min}, not '${text}'.`);
    },
  };
}
