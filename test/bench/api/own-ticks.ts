/* CPU time of the bench and of all programs that it started. */
import { readdirSync, readFileSync } from 'node:fs';

/** `reapedTicks`: of ended children. `bornAt`: in ticks; tells processes of one number apart. */
type Process = {
  pid: number;
  parent: number;
  bornAt: number;
  ticks: number;
  reapedTicks: number;
};
type Times = [user: number, system: number, reapedUser: number, reapedSystem: number];

/**
 * CPU ticks of `root` and all its descendants. A parent's ticks include those of its reaped
 * children.
 */
export function ticksUnder(root: number, processes: Process[]): number {
  return withDescendants([root], processes).reduce(
    (sum, { ticks, reapedTicks }) => sum + ticks + reapedTicks,
    0,
  );
}

/**
 * CPU ticks of `root` and its descendants between the first look and the last. They include
 * processes that lost their parent, as the children of a killed browser do, and which no parent
 * accounts for. They lack what a process did after the last look at it.
 */
export class SeenTicks {
  readonly #root: number;
  /** By process. */
  #ticksByName: Map<string, number> | null = null;
  #spent = 0;

  constructor(root: number) {
    this.#root = root;
  }

  get spent(): number {
    return this.#spent;
  }

  look(processes: Process[]): void {
    const seenProcesses = processes.filter((process) => this.#ticksByName?.has(nameOf(process)));
    const roots = [this.#root, ...seenProcesses.map(({ pid }) => pid)];
    const ticksByName = new Map<string, number>();
    for (const process of withDescendants(roots, processes)) {
      const name = nameOf(process);
      ticksByName.set(name, process.ticks);
      if (this.#ticksByName) this.#spent += process.ticks - (this.#ticksByName.get(name) ?? 0);
    }
    this.#ticksByName = ticksByName;
  }
}

const nameOf = ({ pid, bornAt }: Process): string => `${pid} ${bornAt}`;

function withDescendants(roots: number[], processes: Process[]): Process[] {
  const isOwn = new Set(roots);
  for (let size = 0; size < isOwn.size;) {
    size = isOwn.size;
    for (const { pid, parent } of processes) if (isOwn.has(parent)) isOwn.add(pid);
  }
  return processes.filter(({ pid }) => isOwn.has(pid));
}

export function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    // A process may exit while the folder is read.
    const stat = /^\d+$/.test(name) ? contents(`/proc/${name}/stat`) : null;
    if (!stat) return [];
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user, system, reapedUser, reapedSystem] = fields.slice(11, 15).map(Number) as Times;
    return [
      {
        pid: Number(name),
        parent: Number(fields[1]),
        bornAt: Number(fields[19]),
        ticks: user + system,
        reapedTicks: reapedUser + reapedSystem,
      },
    ];
  });
}

export function contents(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
