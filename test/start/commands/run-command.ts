import { execFile } from 'node:child_process';
import type { Command } from '../../../src/shared/process/command.ts';
import { programEnv } from '../../support/processes/program-env.ts';

export type Outcome = { stdout: string; stderr: string; status: number };

/** No records can be opened there. */
const NO_RECORDS = { DATA_DIR: '/dev/null' };

/** Runs a command in this process, with no settings but these. */
export async function call(
  command: Command,
  args: string[],
  env: Record<string, string> = NO_RECORDS,
): Promise<Outcome> {
  const output = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof output) => ({
    write: (text: string) => (output[name] += text),
  });
  const streams = { stdout: stream('stdout'), stderr: stream('stderr') };
  const status = await command(args, { env: () => env, ...streams });
  return { ...output, status };
}

/** `npm run NAME -- ...` in processes of its own, with no settings but these. */
export const runProgram = (
  name: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    const options = { env: { ...programEnv, ...env } };
    const program = ['src/start/bootstrap.mjs', name, ...args];
    execFile(process.execPath, program, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, status: Number(error?.code ?? 0) }),
    );
  });
