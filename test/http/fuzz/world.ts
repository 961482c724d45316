import type { Operation } from './document.ts';

/** A value that is known only when the request is sent: the id of something that there is then. */
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

/** The id of nothing. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

/**
 * Parts of paths that name one thing: its own id under the name of its place in the path, and those of what it belongs to. Under `room_token`,
 * which is in no path, what opens it where it was told such a token.
 */
export type Place = Record<string, string>;

/** It is of one list, filters included. */
export type Cursor = { cursor: string; query: [string, string][] };

/** Some paths show what another one makes. */
const sameThings: Record<string, string> = {
  '/v1/conversations': '/v1/calls',
  '/v1/chat': '/v1/agents',
};

/** Where what a path shows is made. */
export const madeAt = (path: string): string => sameThings[path] ?? path;

/** What there is, as far as the answers have told: so that later requests can be about it. */
export class World {
  readonly #live = new Map<string, Place[]>();
  readonly #gone = new Map<string, Place[]>();
  readonly #spared: ReadonlySet<string>;
  readonly #cursors = new Map<string, Cursor>();
  readonly #itemPaths: Map<string, string>;

  /** `spared`: ids of what must stay as it is. */
  constructor(operations: Operation[], spared: readonly string[]) {
    this.#spared = new Set(spared);
    // `/v1/agents` -> `id`: things of which one can be asked for.
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

  gone(collection: string): Place[] {
    return this.#gone.get(madeAt(collection)) ?? [];
  }

  /** Nothing is known of them any more: what is needed next is made anew. */
  leaveAlone(collection: string): void {
    this.#live.delete(madeAt(collection));
  }

  /** The newest of a list. */
  cursor(path: string): Cursor | undefined {
    return this.#cursors.get(path);
  }

  /** `url`: what was asked for, on the wire. */
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
    if (method === 'POST') this.#add(path, opened, id);
    // What somebody else made there (our own account, its keys) must not be changed under our feet.
    if (Array.isArray(data) && !path.startsWith('/admin/')) {
      for (const item of data as { id?: unknown }[]) this.#add(path, params, item.id);
    }
  }

  #add(path: string, params: Place, id: unknown): void {
    const name = this.#itemPaths.get(path);
    if (!name || typeof id !== 'string' || this.#spared.has(id)) return;
    const collection = madeAt(path);
    const known = this.live(collection);
    // What has gone is named again by the repeat of what made it, under one Idempotency-Key.
    if ([...known, ...this.gone(collection)].some((place) => place[name] === id)) return;
    this.#live.set(collection, [...known, { ...params, [name]: id }].slice(-30));
  }

  #forget(path: string, params: Place): void {
    const match = /^(.*)\/\{(\w+)\}$/.exec(path);
    if (!match) return;
    const collection = madeAt(match[1]!);
    const name = match[2]!;
    const isIt = (place: Place) => place[name] === params[name];
    this.#live.set(
      collection,
      this.live(collection).filter((place) => !isIt(place)),
    );
    this.#gone.set(collection, [...this.gone(collection), params]);
  }
}
