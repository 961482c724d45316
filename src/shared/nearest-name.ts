/** Longer names are compared by their beginning, to limit the work on a hostile one. */
const COMPARED = 64;

/**
 * The known name with the fewest changes, apart from case and separators: `avatarId` is
 * `avatar_id`.
 */
export function nearestName(name: string, knownNames: readonly string[]): string | undefined {
  const from = plain(name);
  const distances = new Map(knownNames.map((each) => [each, distance(from, plain(each))]));
  return knownNames.toSorted((a, b) => distances.get(a)! - distances.get(b)!)[0];
}

const MAX_NEAR = 3;

/**
 * Names that may have been meant: at most three, nearest first. None for a wholly different name.
 */
export function nearNames(name: string, knownNames: readonly string[]): string[] {
  const from = plain(name).trim();
  const most = Math.max(2, Math.floor(from.length / 3));
  return knownNames
    .map((each) => ({ each, far: from === '' ? Infinity : nearness(from, plain(each)) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_NEAR)
    .map(({ each }) => each);
}

/** Two swapped letters are two changes. */
const nearness = (from: string, to: string): number =>
  from.length > 2 && to.startsWith(from) && to !== from ? 1 : changes(from, to);

const plain = (name: string): string => name.slice(0, COMPARED).toLowerCase().replace(/[_-]/g, '');

/** `prompt` is nearer to `systemprompt` than to `name`. */
const distance = (from: string, to: string): number => (to.includes(from) ? 1 : changes(from, to));

/** Levenshtein distance. */
function changes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const nextRow = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      nextRow.push(Math.min(replaced, row[j]! + 1, nextRow[j - 1]! + 1));
    }
    row = nextRow;
  }
  return row.at(-1)!;
}
