import type { CallStorage } from './saved-call.ts';

/** Storage of the tab. Where browsers block it, as in some frames, it lasts as long as the page. */
export function tabStorage(): CallStorage {
  try {
    return sessionStorage;
  } catch {
    const items = new Map<string, string>();
    return {
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, value) => void items.set(name, value),
      removeItem: (name) => void items.delete(name),
    };
  }
}
