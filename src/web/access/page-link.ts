/* The link that the start prints: `/#code=...`. */
import { pageStorage } from '../look/page-storage.ts';
import type { Keep } from './page-access.ts';

const CODE = /^#code=(\w+)$/;

/** Takes the code out of the address, so that no history keeps it. Null: there is none. */
export function takeCode(): string | null {
  const code = CODE.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Calls `use` when another link is opened in the same tab. Returns a stop function. */
export function onCode(use: (code: string) => void): () => void {
  const onChange = () => {
    const code = takeCode();
    if (code !== null) use(code);
  };
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

const PLACE = 'troupe.refresh-token';

/** In this browser, for this origin. Without storage the page works until it is left. */
export function browserKeep(): Keep {
  const storage = pageStorage(() => localStorage);
  return {
    get: () => storage.getItem(PLACE),
    set: (token) => storage.setItem(PLACE, token),
  };
}
