import { mayImport } from './folders.mjs';

type Arrows = Map<string, Set<string>>;

/** Every folder may import these, and they import none of the others. */
const EVERYWHERE = ['src/shared', 'src/errors.ts', 'src/config.ts'];

/** The folders of src/ and workers/ and their arrows, as a Mermaid flowchart. */
export function architecture(): string {
  const arrows = withoutImplied(topLevelArrows());
  const within = (side: string) =>
    arrows.filter(([from, to]) => sideOf(from) === side && sideOf(to) === side);
  const across = arrows.filter(([from, to]) => sideOf(from) !== sideOf(to));
  return [
    'flowchart TD',
    ...['src', 'workers'].flatMap((side) => [
      `  subgraph ${side}`,
      ...within(side).map((arrow) => `    ${line(arrow)}`),
      '  end',
    ]),
    ...across.map((arrow) => `  ${line(arrow)}`),
  ].join('\n');
}

function topLevelArrows(): Arrows {
  const arrows: Arrows = new Map();
  for (const [file, imports] of Object.entries(mayImport)) {
    const from = topLevel(file);
    if (!isShown(from)) continue;
    const targets = arrows.get(from) ?? new Set();
    for (const to of imports.map(topLevel)) if (to !== from && isShown(to)) targets.add(to);
    arrows.set(from, targets);
  }
  // `workers` alone stands for every folder in it.
  const workers = [...arrows.keys()].filter((name) => sideOf(name) === 'workers');
  for (const [from, targets] of arrows) {
    if (!targets.delete('workers')) continue;
    for (const to of workers) if (to !== from) targets.add(to);
  }
  return arrows;
}

/** Transitive reduction. The arrows must form no cycle. */
function withoutImplied(arrows: Arrows): [from: string, to: string][] {
  return [...arrows].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((target) => reachable(arrows, target).has(to)))
      .map((to): [string, string] => [from, to]),
  );
}

/** Everything that `from` imports, directly or not. */
function reachable(arrows: Arrows, from: string): Set<string> {
  const reachableNames = new Set<string>();
  const visit = (name: string) => {
    for (const to of arrows.get(name) ?? []) {
      if (reachableNames.has(to)) continue;
      reachableNames.add(to);
      visit(to);
    }
  };
  visit(from);
  return reachableNames;
}

/** Folders that import themselves through others. */
export function cycles(): string[] {
  const arrows = topLevelArrows();
  return [...arrows.keys()].filter((name) => reachable(arrows, name).has(name));
}

const topLevel = (file: string) => file.split('/').slice(0, 2).join('/');
const sideOf = (name: string) => name.split('/')[0]!;
const isShown = (name: string) => /^(src|workers)\b/.test(name) && !EVERYWHERE.includes(name);
const line = ([from, to]: [string, string]) => `${label(from)} --> ${label(to)}`;
const label = (name: string) => name.split('/')[1]!;
