export function findNode(
  folder: string,
  running?: {
    platform: string;
    arch: string;
    versions: { node: string };
    execPath: string;
  },
): string | null;
