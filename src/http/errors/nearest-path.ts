import { nearNames } from '#shared/nearest-name.ts';

/** Longer paths are not compared, to limit the work for a hostile one. */
const LONGEST = 200;

/** The known path that was probably meant, such as `/v1/sessions/:id`; null if none is near. */
export function nearestPath(path: string, known: readonly string[]): string | null {
  if (path.length > LONGEST) return null;
  const [first = '', ...rest] = path.split('/').filter(Boolean);
  const given = /^v\d+$/i.test(first) ? rest : [first, ...rest];
  const [resource = ''] = given;
  const resources = [...new Set(known.map(resourceOf))];
  const [near] = nearNames(resource, resources);
  if (near === undefined) return null;
  const candidates = known.filter((url) => resourceOf(url) === near);
  // Ids are taken over, so that only the fixed parts are compared.
  const filled = new Map(candidates.map((url) => [fill(url, given), url]));
  const wanted = [near, ...given.slice(1)].join('/');
  const [found] = nearNames(wanted, [...filled.keys()]);
  return found === undefined ? null : filled.get(found)!;
}

const resourceOf = (url: string): string => url.split('/')[2] ?? '';

function fill(url: string, given: string[]): string {
  const parts = url.split('/').slice(2);
  return parts.map((part, at) => (part.startsWith(':') ? (given[at] ?? part) : part)).join('/');
}
