export function reasonToInstall(folder: string, options?: { withDev?: boolean }): string | null;

export function install(
  folder: string,
  reason: string,
  options?: {
    what?: string;
    withDev?: boolean;
    adds?: boolean;
    say?: (line: string) => void;
  },
): { ended: Promise<number>; stop(signal: string): void };
