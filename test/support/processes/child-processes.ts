/* Child processes of this one, as Linux describes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { NOBODY } from '#shared/process/decoder-process.ts';
import { until } from '../until.ts';

/** The user of a process that decodes untrusted files. */
export const decoderUser = process.getuid?.() === 0 ? NOBODY : process.getuid?.();

type ChildProcess = {
  user: number;
  /** Names of its variables. */
  environment: string[];
};

/** Waits until the child that runs the script has this user. */
export async function childAs(user: number | undefined, script: string): Promise<ChildProcess> {
  await until(() => childOf(script)?.user === user);
  return childOf(script)!;
}

/** Undefined while there is none. */
function childOf(script: string): ChildProcess | undefined {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
      const status = read('status');
      const valueOf = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
      if (valueOf('PPid') !== process.pid || !read('cmdline').includes(script)) continue;
      const variables = read('environ').split('\0').filter(Boolean);
      const environment = variables.map((variable) => variable.split('=')[0]!).sort();
      return { user: valueOf('Uid'), environment };
    } catch {
      // It has exited meanwhile.
    }
  }
  return undefined;
}
