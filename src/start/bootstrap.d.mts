export function reasonToInstall(folder: string, options?: { withDev?: boolean }): string | null;

export function findNode(
  folder: string,
  running?: {
    platform: string;
    arch: string;
    versions: { node: string };
    execPath: string;
  },
): string | null;

export function install(
  folder: string,
  reason: string,
  options?: { withDev?: boolean; say?: (line: string) => void },
): { ended: Promise<number>; stop(signal: string): void };
