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

/** Parts of paths that name one thing: its own id under the name of its place in the path, and those of what it belongs to. */
export type Place = Record<string, string>;

/** It is of one list, filters included. */
export type Cursor = { cursor: string; query: [string, string][] };

/** Some paths show what another one makes. */
const sameThings: Record<string, string> = { '/v1/conversations': '/v1/calls' };

const collectionOf = (path: string): string => sameThings[path] ?? path;

/** What there is, as far as the answers have told: so that later requests can be about it. */
export class World {
  readonly #live = new Map<string, Place[]>();
  readonly #gone = new Map<string, Place[]>();
  readonly #cursors = new Map<string, Cursor>();
  readonly #itemPaths: Map<string, string>;

  constructor(operations: Operation[]) {
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
    return this.#live.get(collectionOf(collection)) ?? [];
  }

  gone(collection: string): Place[] {
    return this.#gone.get(collectionOf(collection)) ?? [];
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
    const { id, data, next_cursor: cursor } = body as Record<string, unknown>;
    if (typeof cursor === 'string') {
      const { pathname, searchParams } = new URL(url, 'http://service');
      searchParams.delete('cursor');
      searchParams.delete('limit');
      this.#cursors.set(pathname, { cursor, query: [...searchParams] });
    }
    if (method === 'POST') this.#add(path, params, id);
    // What somebody else made there (our own account, its keys) must not be changed under our feet.
    if (Array.isArray(data) && !path.startsWith('/admin/')) {
      for (const item of data as { id?: unknown }[]) this.#add(path, params, item.id);
    }
  }

  #add(path: string, params: Place, id: unknown): void {
    const name = this.#itemPaths.get(path);
    if (!name || typeof id !== 'string') return;
    const collection = collectionOf(path);
    const known = this.live(collection);
    if (known.some((place) => place[name] === id)) return;
    this.#live.set(collection, [...known, { ...params, [name]: id }].slice(-30));
  }

  #forget(path: string, params: Place): void {
    const match = /^(.*)\/\{(\w+)\}$/.exec(path);
    if (!match) return;
    const collection = collectionOf(match[1]!);
    const name = match[2]!;
    const isIt = (place: Place) => place[name] === params[name];
    this.#live.set(
      collection,
      this.live(collection).filter((place) => !isIt(place)),
    );
    this.#gone.set(collection, [...this.gone(collection), params].slice(-10));
  }
}
