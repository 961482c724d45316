/** Children lead groups of their own: a Ctrl-C in the terminal reaches only the supervisor, and what a child started ends with it. */
export const ownGroup = process.platform !== 'win32';

/** Signals a group by its leader's id; one that is gone is no error. */
export function endGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(ownGroup ? -leader : leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether anything of the group is alive (or dead and not yet noticed by its parent). */
export function isAlive(leader: number): boolean {
  try {
    process.kill(ownGroup ? -leader : leader, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
