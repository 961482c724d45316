/**
 * The path of a request target as the router reads it: without an origin and a query, and with
 * escapes decoded, so that `/v1/%61vatar` is not another path. Escapes that cannot be decoded stay.
 */
export function requestPath(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return path.includes('%') ? path.split('/').map(decode).join('/') : path;
}

function decode(part: string): string {
  try {
    return decodeURI(part);
  } catch {
    return part;
  }
}
