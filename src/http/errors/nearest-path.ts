import { nearNames } from '#shared/nearest-name.ts';

/** Longer paths are not compared, to limit the work for a hostile one. */
const LONGEST = 200;

/** The known path that was probably meant, such as `/v1/sessions/:id`; null if none is near. */
export function nearestPath(path: string, routes: readonly string[]): string | null {
  if (path.length > LONGEST) return null;
  const [firstSegment = '', ...otherSegments] = path.split('/').filter(Boolean);
  const segments = /^v\d+$/i.test(firstSegment) ? otherSegments : [firstSegment, ...otherSegments];
  const [resource = ''] = segments;
  const resources = [...new Set(routes.map(resourceOf))];
  const [near] = nearNames(resource, resources);
  if (near === undefined) return null;
  const candidates = routes.filter((url) => resourceOf(url) === near);
  // Ids are taken over, so that only the fixed parts are compared.
  const filled = new Map(candidates.map((url) => [fill(url, segments), url]));
  const wholePath = [near, ...segments.slice(1)].join('/');
  const [nearestFilled] = nearNames(wholePath, [...filled.keys()]);
  return nearestFilled === undefined ? null : filled.get(nearestFilled)!;
}

const resourceOf = (url: string): string => url.split('/')[2] ?? '';

function fill(url: string, segments: string[]): string {
  const parts = url.split('/').slice(2);
  return parts.map((part, at) => (part.startsWith(':') ? (segments[at] ?? part) : part)).join('/');
}
