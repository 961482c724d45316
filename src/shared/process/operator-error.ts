/** An error that the operator can correct. Its message says what to do, so no stack is shown. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** Ends a program that cannot start or close. */
export function exitFailed(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError || isSystemError(error)) return error.message;
  return error.stack ?? error.message;
}

/** For example a taken port or a folder that cannot be written. The message names it. */
const isSystemError = (error: Error): boolean => 'syscall' in error && 'code' in error;
