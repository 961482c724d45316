import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import type { Guard } from '../processes/guard.ts';
import { withProgress, type Say } from '../messages/progress.ts';
import { endGroup, ownGroup } from '../processes/process-group.ts';

type BuildOrder = {
  moduleDir: string;
  /** Path of the binary to build. */
  file: string;
  env: Record<string, string | undefined>;
  guard?: Guard | undefined;
  say: Say;
  signal?: AbortSignal | undefined;
};

const PACKAGE = 'github.com/livekit/livekit-server/cmd/server';
/** Packages in a cold build of livekit-server 1.11.0, for the progress line only. */
const PACKAGES = 775;

/** Builds the pinned module with the installed Go. go.sum fixes the checksums of its parts. */
export async function buildMediaServer(order: BuildOrder): Promise<void> {
  const partial = `${order.file}.${process.pid}.partial`;
  await mkdir(path.dirname(order.file), { recursive: true });
  try {
    await withProgress(
      order.say,
      'Building the media server with Go (2 to 5 minutes the first time)',
      async (detail) => {
        const args = ['build', '-v', '-ldflags=-s -w', '-o', partial, PACKAGE];
        let packages = 0;
        await runGo(order, args, (line) => {
          // With -v, Go prints each package that it compiles on its own line.
          if (/^[\w.~/-]+$/.test(line)) detail(`${++packages} of about ${PACKAGES} packages`);
        });
      },
    );
    await rename(partial, order.file);
  } finally {
    await rm(partial, { force: true });
  }
}

async function runGo(order: BuildOrder, args: string[], onLine: (line: string) => void) {
  const go = spawn('go', args, {
    cwd: order.moduleDir,
    env: { ...childEnvironment(order.env, ['GO*', 'GIT_*']), CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group, so that Go's compilers end with it.
    detached: ownGroup,
  });
  order.guard?.watch(go.pid);
  const onAbort = () => endGroup(go.pid, 'SIGKILL');
  order.signal?.addEventListener('abort', onAbort, { once: true });
  let outputEnd = '';
  go.stderr.setEncoding('utf8').on('data', (text: string) => {
    outputEnd = (outputEnd + text).slice(-2_000);
    for (const line of text.split('\n')) onLine(line);
  });
  try {
    const [code] = (await once(go, 'close')) as [number | null];
    order.signal?.throwIfAborted();
    if (code !== 0) throw new Error(`Go: the build failed (exit ${code}):\n${outputEnd.trim()}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new Error(
      'Go: not installed (https://go.dev/dl; any 1.21 or newer fetches the one it needs)',
      {
        cause: error,
      },
    );
  } finally {
    order.guard?.forget(go.pid);
    order.signal?.removeEventListener('abort', onAbort);
  }
}
