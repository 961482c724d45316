import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Opens an address in the person's browser. Rejects if this machine has no program for that. */
export async function openInBrowser(address: string): Promise<void> {
  const [command, ...args] = OPENERS[process.platform] ?? OPENERS['linux']!;
  const opener = spawn(command!, [...args, address], { stdio: 'ignore', detached: true });
  await once(opener, 'spawn');
  opener.unref();
}

const OPENERS: Partial<Record<string, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};
