import type { Place } from './vendor-adapter.ts';

/** What stands at a place of a body; undefined where there is nothing. */
export function at(body: unknown, place: Place): unknown {
  let value = body;
  for (const name of place.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? undefined;
}

/** The fields of a body that are at none of these places. What has some of them inside is not named itself. */
export function fieldsBeside(body: object, places: readonly Place[], inside = ''): string[] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const place = `${inside}${name}`;
    if (value === null || places.includes(place)) return [];
    if (!places.some((used) => used.startsWith(`${place}.`))) return [place];
    return typeof value === 'object' ? fieldsBeside(value, places, `${place}.`) : [place];
  });
}

/** As a problem's `loc` names it. */
export const locOf = (place: Place): string[] => ['body', ...place.split('.')];
