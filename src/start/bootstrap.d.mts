/** Resolves with the exit code. */
export function runRole(
  name: string,
  args: string[],
  options?: { folder?: string; running?: Running },
): Promise<number>;

type Running = {
  platform: string;
  arch: string;
  versions: { node: string };
  execPath: string;
};
