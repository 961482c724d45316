/**
 * Children lead their own process groups: Ctrl-C reaches only the supervisor, and grandchildren end
 * with their leader.
 */
export const ownGroup = process.platform !== 'win32';

/** Signals a group by its leader's id. Ignores a group that is gone. */
export function endGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(ownGroup ? -leader : leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether any process of the group exists, including a zombie. */
export function isAlive(leader: number): boolean {
  try {
    process.kill(ownGroup ? -leader : leader, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
