type CallStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Storage of the tab. Where browsers block it, as in some frames, it lasts as long as the page. */
export function tabStorage(): CallStorage {
  try {
    return sessionStorage;
  } catch {
    return new PageStorage();
  }
}

class PageStorage implements CallStorage {
  readonly #items = new Map<string, string>();

  getItem(name: string): string | null {
    return this.#items.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    this.#items.set(name, value);
  }

  removeItem(name: string): void {
    this.#items.delete(name);
  }
}
