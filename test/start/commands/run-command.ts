import { spawnSync } from 'node:child_process';
import { programEnv } from '../../support/processes/program-env.ts';

/** Runs a file of src/start/commands to its end, with no settings but these. */
export function runCommand(name: string, args: string[], env: Record<string, string>) {
  const file = `src/start/commands/${name}.ts`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', file, ...args],
    { env: { ...programEnv, ...env }, encoding: 'utf8' },
  );
  return { stdout, stderr, status };
}
