/** Exit codes of every command, with their meanings for the reference. */
export const EXIT_CODES = {
  0: 'Done.',
  1: 'The service refused or could not do it, or a check of `troupe doctor` failed.',
  2: 'The arguments or the settings are wrong.',
  3: 'The service cannot be reached.',
  4: 'The key or the password is missing, wrong, or may not do this.',
  5: 'Not found.',
  130: 'Interrupted by Ctrl-C.',
} as const;

export type ExitCode = keyof typeof EXIT_CODES;

/** Ends a command with one sentence that says what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
