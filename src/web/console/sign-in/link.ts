/** The code of a link `/console#link=CODE`. Removed from the address, so no history keeps it. */
export function takeLink(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('link');
  if (code) history.replaceState(null, '', location.pathname);
  return code;
}

/** The error of the OpenID provider, from `/console#error=TEXT`. */
export function takeError(): string | null {
  const text = new URLSearchParams(location.hash.slice(1)).get('error');
  if (text) history.replaceState(null, '', location.pathname);
  return text;
}
