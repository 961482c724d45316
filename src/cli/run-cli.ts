import { CommanderError } from 'commander';
import { OperatorError } from '#shared/process/operator-error.ts';
import { TroupeError } from '../clients/typescript/src/errors.ts';
import { toCliError } from './api-errors.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, type ExitCode } from './exit-codes.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command line. Resolves with the exit code; every error becomes one sentence on stderr.
 */
export async function runCli(args: string[], context: CliContext): Promise<ExitCode> {
  const program = createProgram(context);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the problem, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (context.signal.aborted) return 130;
    return report(error instanceof TroupeError ? toCliError(error, context) : error, context);
  }
}

function report(error: unknown, context: CliContext): ExitCode {
  const exitCode = error instanceof CliError ? error.exitCode : 1;
  const message = explain(error);
  const text = context.options.json
    ? JSON.stringify({ error: { message, exit_code: exitCode } })
    : message;
  context.stderr.write(`${text}\n`);
  return exitCode;
}

/** Bugs keep their stack, for a report. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CliError || error instanceof OperatorError) return error.message;
  if ('syscall' in error && 'code' in error) return `${error.message}.`;
  return `This is a bug in troupe; please report it: ${error.stack ?? error.message}`;
}
