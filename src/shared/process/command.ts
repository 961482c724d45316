/* Commands of npm as functions, which tests call in their own process. */
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  parseCommand,
  WRONG_USAGE,
  type CommandSpec,
  type Options,
  type Values,
} from './command-line.ts';
import { explain } from './operator-error.ts';
import { loadSettingsFile } from './settings-file.ts';

/** All that a command gets from outside. */
export type CommandContext = {
  /** The settings. Throws an OperatorError if the settings file cannot be read. */
  env: () => Record<string, string | undefined>;
  stdout: Output;
  stderr: Output;
};
type Output = { write(text: string): unknown };

/** Resolves with the exit code. */
export type Command = (args: string[], context: CommandContext) => Promise<number>;

export type Arguments<Given extends Options> = {
  values: Values<Given>;
  positionals: string[];
  /** Rejects arguments that only the command itself can judge. */
  refuse: (problem: string) => never;
};

/**
 * `run` resolves with what the command prints. A throw becomes a message and exit code 1.
 */
export function command<const Given extends Options>(
  spec: CommandSpec<Given>,
  run: (args: Arguments<Given>, context: CommandContext) => Promise<string>,
): Command {
  const usage = `${spec.usage.trim()}\n`;
  return async (args, context) => {
    const parsed = parseCommand(spec, args);
    try {
      if (parsed.type === 'wrong') refuse(parsed.problem);
      context.stdout.write(
        parsed.type === 'run' ? await run({ ...parsed, refuse }, context) : usage,
      );
      return 0;
    } catch (error) {
      const isUsage = error instanceof WrongUsage;
      context.stderr.write(isUsage ? `${error.message}\n\n${usage}` : `${explain(error)}\n`);
      return isUsage ? WRONG_USAGE : 1;
    }
  };
}

class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

function refuse(problem: string): never {
  throw new WrongUsage(problem);
}

/**
 * Runs the command with the arguments of this process if Node was started with the file of this
 * URL.
 */
export async function runAsProgram(url: string, run: Command): Promise<void> {
  const [, file = '', ...args] = process.argv;
  if (!existsSync(file) || realpathSync(file) !== fileURLToPath(url)) return;
  const { stdout, stderr } = process;
  process.exitCode = await run(args, { env: readEnvironment, stdout, stderr });
}

/** The environment of this process, with the settings of `.env`. */
export function readEnvironment(): NodeJS.ProcessEnv {
  loadSettingsFile();
  return process.env;
}
