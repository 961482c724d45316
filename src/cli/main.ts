/* Process entry of `troupe`, under Node 24: src/start/troupe.mjs runs it. */
import { systemClock } from '#shared/clock.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import { loadSettingsFile } from '#shared/process/settings-file.ts';
import { openInBrowser } from './open-in-browser.ts';
import { runCli } from './run-cli.ts';

// `troupe session list | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const stop = new AbortController();
// When the parent is killed, this channel closes. Programs that a command runs have their own ways
// to end.
process.once('disconnect', () => stop.abort());
process.channel?.unref();

try {
  loadSettingsFile();
  const exitCode = await runCli(process.argv.slice(2), {
    env: process.env,
    clock: systemClock,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: stop.signal,
    open: openInBrowser,
    options: {},
  });
  // A program that a command has run may have set its own.
  if (exitCode !== 0) process.exitCode = exitCode;
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
