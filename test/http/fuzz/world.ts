import type { Operation } from './document.ts';

/** An id that is known only when the request is sent. */
export class IdOf {
  readonly collection: string;
  readonly pick: number;

  constructor(collection: string, pick: number) {
    this.collection = collection;
    this.pick = pick;
  }

  toString(): string {
    return `<an id of ${this.collection}>`;
  }
}

/** The caller's, deleted by the caller, another account's, or nobody's. */
export type Which = 'live' | 'gone' | 'foreign' | 'unknown';

/** An unknown id. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

/**
 * Path parameters of a resource and its parents, plus its `room_token` if an answer contained one.
 */
export type Place = Record<string, string>;

/** Valid for one list, including its filters. */
export type Cursor = { cursor: string; query: [string, string][] };

/** Paths that show resources created under another path. */
const sameThings: Record<string, string> = {
  '/v1/conversations': '/v1/calls',
  '/v1/chat': '/v1/agents',
};

/** The path that creates the resources of this path. */
export const madeAt = (path: string): string => sameThings[path] ?? path;

/** Resources known from answers, for use in later requests. */
export class World {
  readonly #live = new Map<string, Place[]>();
  readonly #gone = new Map<string, Place[]>();
  /** Ids of resources that the caller created; others were listed. */
  readonly #made = new Set<string>();
  readonly #spared: ReadonlySet<string>;
  readonly #cursors = new Map<string, Cursor>();
  readonly #itemPaths: Map<string, string>;

  /** `spared`: ids of resources that must not change. */
  constructor(operations: Operation[], spared: readonly string[]) {
    this.#spared = new Set(spared);
    // `/v1/agents` -> `id`: collections whose resources have a path of their own.
    this.#itemPaths = new Map(
      operations.flatMap(({ path }) =>
        [...path.matchAll(/\/\{(\w+)\}/g)].map(({ 1: name, index }) => [
          path.slice(0, index),
          name!,
        ]),
      ),
    );
  }

  live(collection: string): Place[] {
    return this.#live.get(madeAt(collection)) ?? [];
  }

  made(collection: string): Place[] {
    return this.live(collection).filter((place) => this.#made.has(Object.values(place).at(-1)!));
  }

  gone(collection: string): Place[] {
    return this.#gone.get(madeAt(collection)) ?? [];
  }

  /** Forgets all resources, so that new ones are created. */
  leaveAlone(collection: string): void {
    this.#live.delete(madeAt(collection));
  }

  /** Latest cursor of a list. */
  cursor(path: string): Cursor | undefined {
    return this.#cursors.get(path);
  }

  /** A cursor that was not given out for this list: altered, or of another one. */
  oddCursor(path: string, pick: number): Cursor {
    const { cursor: ownCursor, query } = this.#cursors.get(path) ?? { cursor: NOBODY, query: [] };
    const otherCursors = [...this.#cursors].filter(([each]) => madeAt(each) !== madeAt(path));
    const middle = ownCursor.length >> 1;
    const odd = [
      ownCursor.slice(0, -4),
      `${ownCursor}AAAA`,
      ownCursor.slice(0, middle) +
        (ownCursor[middle] === 'A' ? 'B' : 'A') +
        ownCursor.slice(middle + 1),
      ...otherCursors.map(([, { cursor }]) => cursor),
    ];
    return { cursor: odd[pick % odd.length]!, query };
  }

  /** `url`: as sent on the wire. */
  remember(operation: Operation, url: string, params: Place, body: unknown): void {
    const { method, path } = operation;
    if (method === 'DELETE') return this.#forget(path, params);
    if (typeof body !== 'object' || body === null) return;
    const { id, data, next_cursor: cursor, room_token: token } = body as Record<string, unknown>;
    if (typeof cursor === 'string') {
      const { pathname, searchParams } = new URL(url, 'http://service');
      searchParams.delete('cursor');
      searchParams.delete('limit');
      this.#cursors.set(pathname, { cursor, query: [...searchParams] });
    }
    const opened = typeof token === 'string' ? { room_token: token, ...params } : params;
    if (method === 'POST') {
      this.#add(path, opened, id);
      this.#made.add(String(id));
    }
    // Resources created by others (our own account and its keys) must not change.
    if (Array.isArray(data) && !path.startsWith('/admin/')) {
      for (const item of data as { id?: unknown }[]) this.#add(path, params, item.id);
    }
  }

  #add(path: string, params: Place, id: unknown): void {
    const name = this.#itemPaths.get(path);
    if (!name || typeof id !== 'string' || this.#spared.has(id)) return;
    const collection = madeAt(path);
    const livePlaces = this.live(collection);
    // A repeated Idempotency-Key may return a deleted resource.
    if ([...livePlaces, ...this.gone(collection)].some((place) => place[name] === id)) return;
    this.#live.set(collection, [...livePlaces, { ...params, [name]: id }].slice(-30));
  }

  #forget(path: string, params: Place): void {
    const match = /^(.*)\/\{(\w+)\}$/.exec(path);
    if (!match) return;
    const collection = madeAt(match[1]!);
    const name = match[2]!;
    // Also what is in it, such as the keys of an account.
    for (const [of, places] of this.#live) {
      if (of !== collection && !of.startsWith(`${collection}/{${name}}/`)) continue;
      this.#live.set(
        of,
        places.filter((place) => place[name] !== params[name]),
      );
    }
    this.#gone.set(collection, [...this.gone(collection), params]);
  }
}
