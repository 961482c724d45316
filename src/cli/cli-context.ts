import type { Clock } from '#shared/clock.ts';

export type Environment = Record<string, string | undefined>;

/** A standard stream. `isTTY`: a person looks at it. */
export type Output = Pick<NodeJS.WritableStream, 'write'> & { isTTY?: boolean; columns?: number };

/** Options of every command. */
export type GlobalOptions = { json?: true; url?: string; key?: string; color?: boolean };

/** All that a command gets from outside. */
export type CliContext = {
  env: Environment;
  clock: Clock;
  stdout: Output;
  stderr: Output;
  /** Aborted by the test or the signal that ends the command. */
  signal: AbortSignal;
  /** Opens an address in the person's browser. */
  open: (address: string) => Promise<void>;
  /** Set before a command runs. */
  options: GlobalOptions;
};
