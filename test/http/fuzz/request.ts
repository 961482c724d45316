/* Drafts of requests that the document allows, and the requests that are made of them. */
import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Parameter, Rules } from './document.ts';
import { fromSchema } from './from-schema.ts';
import { valueAt, type Meaning } from './meanings.ts';
import { IdOf, NOBODY, type Cursor, type Place, type Which } from './world.ts';

/** How the meaning of a request is odd. */
export type Way =
  | { part: 'nothing' }
  /** The same request twice at once. */
  | { part: 'twice' }
  /** A path or a field names a resource that is not there for the caller. */
  | { part: 'path' | 'reference'; which: Which }
  /** A cursor of another list, or an altered one. */
  | { part: 'cursor' };

/** A request before ids and cursors are filled in. */
export type Draft = {
  /** Select among resources, references and cursors. */
  place: number;
  pick: number;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
};

/** `place`: the ids in the path; null if no such resource exists. */
export type Planned = {
  method: string;
  /** With its query. */
  path: string;
  headers: Headers;
  body: BodyInit | null;
  place: Place | null;
};

/** Credentials by security scheme. */
export type Credentials = Record<string, { header: string; value: string }>;

/** Values that complete a draft. */
export type Fillings = {
  credentials: Credentials;
  place: Place | null;
  id(reference: IdOf): string;
  /** Keyed by path as sent. Undefined: none is known. */
  cursor(path: string): Cursor | undefined;
};

type PlanParts = { rules: Rules; operation: Operation };
type Parts = PlanParts & { meaning: Meaning };

const FORM = 'multipart/form-data';
const number = fc.nat(10_000);

export function draftsOf(parts: Parts): Arbitrary<Draft> {
  const { tidyQuery } = parts.meaning;
  return fc.record({
    place: number,
    pick: number,
    query: parametersOf(parts, 'query').map((query) => tidyQuery?.(query) ?? query),
    headers: parametersOf(parts, 'header'),
    body: bodyOf(parts),
  });
}

export const parameters = (operation: Operation, place: string): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place);

function parametersOf({ rules, meaning, operation }: Parts, place: string) {
  const value = valueAt(meaning);
  const placeParameters = parameters(operation, place);
  const values = placeParameters.map(({ name, schema }) => [
    name,
    value(`?${name}`) ?? fromSchema(rules, schema, value),
  ]);
  return fc.record(Object.fromEntries(values), {
    requiredKeys: placeParameters.filter(({ required }) => required).map(({ name }) => name),
  }) as Arbitrary<Record<string, unknown>>;
}

function bodyOf({ rules, meaning, operation }: Parts): Arbitrary<unknown> {
  const schema = rules.bodySchema(operation) ?? rules.bodySchema(operation, FORM);
  if (schema) {
    const body = fromSchema(rules, schema, valueAt(meaning));
    return body.map((each) => meaning.tidy?.(each as Record<string, unknown>) ?? each);
  }
  if (!operation.requestBody) return fc.constant(null);
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 2_000 });
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
  // Mostly acceptable content: other content of a knowledge file is always refused.
  return fc.oneof(bytes, {
    arbitrary: text.map((content) => new TextEncoder().encode(content)),
    weight: 9,
  });
}

export function referencesIn(value: unknown): IdOf[] {
  if (value instanceof IdOf) return [value];
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return Object.values(value).flatMap(referencesIn);
}

export function plan({ rules, operation }: PlanParts, draft: Draft, fill: Fillings): Planned {
  const { place, credentials } = fill;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(place?.[name] ?? NOBODY),
  );
  const { cursor: wantsCursor, ...query } = draft.query;
  const cursor = wantsCursor === undefined ? undefined : fill.cursor(path);
  const pairs = Object.entries(query).map(([name, value]) => [name, String(fillIn(value, fill))]);
  const limit = pairs.filter(([name]) => name === 'limit');
  const search = new URLSearchParams(
    cursor ? [...cursor.query, ...limit, ['cursor', cursor.cursor]] : pairs,
  );
  const headers = new Headers(
    // Others cannot be sent.
    Object.entries(draft.headers).map(([name, value]) => [
      name,
      String(value).replace(/[^\x20-\x7e]/g, 'x'),
    ]),
  );
  const credential = credentials[rules.schemeOf(operation)];
  const token = place?.['room_token'];
  if (credential) headers.set(credential.header, token ? `Bearer ${token}` : credential.value);
  const body = toBody({ rules, operation }, fillIn(draft.body, fill), headers);
  return { method: operation.method, path: `${path}?${search}`, headers, body, place };
}

function toBody({ rules, operation }: PlanParts, body: unknown, headers: Headers) {
  if (!operation.requestBody) return null;
  if (rules.bodySchema(operation, FORM)) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body as object)) {
      form.append(
        name,
        value instanceof Uint8Array ? new Blob([new Uint8Array(value)]) : String(value),
      );
    }
    return form;
  }
  headers.set('content-type', Object.keys(operation.requestBody.content)[0]!);
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function fillIn(value: unknown, fill: Fillings): unknown {
  if (value instanceof IdOf) return fill.id(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => fillIn(item, fill));
    // Two choices may be the same resource.
    return value.some((item) => item instanceof IdOf) ? [...new Set(items)] : items;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fillIn(each, fill)]),
  );
}
