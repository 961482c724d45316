import { describe, expect, test } from 'vitest';
import { pageStorage, type PageStorage } from '../../../src/web/look/page-storage.ts';

const refuse = (): never => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

function newStorage(): PageStorage {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}

describe.each<{ where: string; open: () => PageStorage }>([
  { where: 'a browser that blocks site data', open: refuse },
  { where: 'a frame without storage', open: () => undefined as unknown as PageStorage },
  { where: 'a full storage', open: () => ({ ...newStorage(), setItem: refuse }) },
  {
    where: 'a storage that only throws when used',
    open: () => ({ getItem: refuse, setItem: refuse, removeItem: refuse }),
  },
])('in $where, an item', ({ open }) => {
  test('lasts as long as the page', () => {
    const storage = pageStorage(open);
    expect(storage.getItem('call')).toBeNull();

    storage.setItem('call', 'call-1');
    expect(storage.getItem('call')).toBe('call-1');

    storage.removeItem('call');
    expect(storage.getItem('call')).toBeNull();
  });
});

test('what another page of the browser stored later counts', () => {
  const shared = newStorage();
  const storage = pageStorage(() => shared);
  storage.setItem('token', 'older');

  shared.setItem('token', 'newer');

  expect(storage.getItem('token')).toBe('newer');
});
