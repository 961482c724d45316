export function reasonToInstall(folder: string, options?: { withDev?: boolean }): string | null;

export function findNode(folder: string, running?: Running): string | null;

type Running = {
  platform: string;
  arch: string;
  versions: { node: string };
  execPath: string;
};

/** Resolves with the exit code. */
export function runRole(
  name: string,
  args: string[],
  options?: { folder?: string; running?: Running },
): Promise<number>;

export function install(
  folder: string,
  reason: string,
  options?: { withDev?: boolean; say?: (line: string) => void },
): { ended: Promise<number>; stop(signal: string): void };
