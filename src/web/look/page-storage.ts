export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The storage that `open` names, such as `() => sessionStorage`. Browsers may block it, in settings
 * or in frames, and it may be full: what is written then lasts as long as the page.
 */
export function pageStorage(open: () => PageStorage): PageStorage {
  const items = new Map<string, string>();
  const attempt = <Result>(use: (storage: PageStorage) => Result): Result | null => {
    try {
      return use(open());
    } catch {
      return null;
    }
  };
  return {
    getItem: (name) => attempt((storage) => storage.getItem(name)) ?? items.get(name) ?? null,
    setItem(name, value) {
      items.set(name, value);
      attempt((storage) => storage.setItem(name, value));
    },
    removeItem(name) {
      items.delete(name);
      attempt((storage) => storage.removeItem(name));
    },
  };
}
