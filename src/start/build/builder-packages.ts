import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, reasonToInstall } from '../packages/install.mjs';
import type { Say } from '../messages/progress.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Order = { say: Say; signal?: AbortSignal | undefined };

/** Installs packages that only build, unless they are there. The signal ends the installation. */
export async function installBuilder(folder: string, { say, signal }: Order): Promise<void> {
  const reason = reasonToInstall(folder);
  if (!reason) return;
  // The service may have been stopped meanwhile, and the listener below would come too late.
  signal?.throwIfAborted();
  const npm = install(folder, reason, { say });
  const onAbort = () => npm.stop('SIGTERM');
  signal?.addEventListener('abort', onAbort, { once: true });
  const code = await npm.ended;
  signal?.removeEventListener('abort', onAbort);
  signal?.throwIfAborted();
  if (code !== 0)
    throw new Error(`npm ci in ${path.relative(root, folder)} failed (exit ${code}).`);
}
