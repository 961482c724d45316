/**
 * A request target without the slashes that clients add when they join a base address that ends in
 * one. Its query, and an origin before the path, stay.
 */
export function withoutExtraSlashes(target: string): string {
  const [, origin = '', path = '', query = ''] =
    /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(target) ?? [];
  return path.includes('//') ? `${origin}${path.replaceAll(/\/{2,}/g, '/')}${query}` : target;
}
