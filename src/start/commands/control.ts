/* What `npm run control` runs: the control plane as a child process with its V8 flags. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CONTROL_FLAGS } from '../control-flags.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
// execArgv loads tsx in the child too.
const child = spawn(process.execPath, [...process.execArgv, ...CONTROL_FLAGS, main], {
  stdio: 'inherit',
});
// A terminal sends Ctrl-C to both processes. Sent on as SIGTERM, it does not count as a second SIGINT.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => child.kill('SIGTERM'));
child.once('exit', (code) => process.exit(code ?? 1));
