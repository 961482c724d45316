import { systemClock, type Clock } from '#shared/clock.ts';
import type { CliContext, Environment } from '../../src/cli/cli-context.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { until } from '../support/until.ts';

type Surroundings = {
  env?: Environment;
  clock?: Clock;
  /** A person looks at the output. */
  isTTY?: boolean;
  signal?: AbortSignal;
};

/** A command that runs in this process. `stdout` and `stderr` grow as it writes. */
export function startTroupe(args: string[], surroundings: Surroundings = {}) {
  const { env = {}, clock = systemClock, isTTY = false, signal } = surroundings;
  const output = { stdout: '', stderr: '' };
  const opened: string[] = [];
  const stream = (name: keyof typeof output) => ({
    isTTY,
    columns: 100,
    write: (text: string) => {
      output[name] += text;
      return true;
    },
  });
  const context: CliContext = {
    env: { ...env },
    clock,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    signal: signal ?? new AbortController().signal,
    open: async (address) => void opened.push(address),
    options: {},
  };
  const exited = runCli(args, context);
  return {
    output,
    opened,
    exited,
    /** Resolves when its standard output contains this. */
    says: (text: string) => until(() => output.stdout.includes(text)),
  };
}

/** Runs a command to its end. */
export async function troupe(args: string[], surroundings: Surroundings = {}) {
  const { output, opened, exited } = startTroupe(args, surroundings);
  const code = await exited;
  return { code, ...output, opened };
}
