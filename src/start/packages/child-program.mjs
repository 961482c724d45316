import { spawn } from 'node:child_process';

/** `ended` resolves with the child's exit code, or 128 plus the signal's number as in a shell. */
export function run(command, args, { killAfterMs, ...options }) {
  const child = spawn(command, args, options);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(fail(`${command}: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
  const stop = (signal) => {
    child.kill(signal);
    if (killAfterMs) setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
  };
  return { ended, stop };
}

/** Prints the message; returns the exit code. */
export function fail(message) {
  console.error(message);
  return 1;
}
