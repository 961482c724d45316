/* Makes a request from a draft: fills in ids, applies the fault, and predicts the outcome. */
import { parameters, type Draft, type Which } from './draft.ts';
import type { Operation, Rules } from './document.ts';
import { FORM, FORM_TYPE, spoilForm, toForm, type Form } from './form.ts';
import type { RawRequest } from './http-client.ts';
import type { Meanings } from './meanings.ts';
import {
  oddHeaders,
  oddIds,
  oddKeys,
  oddTexts,
  textChanges,
  unasked,
  wrongTypes,
} from './oddities.ts';
import { spoil, toText } from './spoil.ts';
import { IdOf, NOBODY, type Cursor, type Place } from './world.ts';

/** `free`: valid by the document, but further rules may refuse it. */
export type Expectation =
  | 'sound'
  | 'free'
  | 'refused'
  | 'unreadable'
  | 'unknown'
  | 'no key'
  | 'no method';

export type Planned = {
  raw: RawRequest;
  expects: Expectation;
  /** Description of the fault. */
  why: string;
  place: Place;
};

/** Credentials by security scheme. */
export type Credentials = Record<string, { header: string; value: string }>;

/** Values that complete a draft. */
export type Fillings = {
  credentials: Credentials;
  place(which: Which, pick: number): Place | null;
  id(reference: IdOf): string;
  /** Keyed by path as sent on the wire. */
  cursor(path: string): Cursor | undefined;
};

export type PlanParts = {
  rules: Rules;
  meanings: Meanings;
  operation: Operation;
  draft: Draft;
  fill: Fillings;
};

export function plan(parts: PlanParts): Planned {
  const planned = begin(parts);
  addQuery(parts, planned);
  addHeaders(parts, planned);
  addBody(parts, planned);
  const { part } = parts.draft.wrong;
  if (part === 'key') useWrongKey(parts, planned);
  if (part === 'method') useWrongMethod(parts, planned);
  const { body, headers } = planned.raw;
  if (body !== null) headers['content-length'] ??= String(Buffer.byteLength(body));
  return planned;
}

function begin({ rules, operation, draft: { wrong, place: ofLive }, fill }: PlanParts): Planned {
  const { which, pick } = wrong.part === 'path' ? wrong : { which: 'live' as const, pick: ofLive };
  const place = fill.place(which, pick);
  const oddId = which === 'live' ? NOBODY : oddIds[pick % oddIds.length]!;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    place ? encodeURIComponent(place[name] ?? 'none') : oddId,
  );
  const shown = fill.credentials[rules.schemeOf(operation)];
  const planned: Planned = {
    raw: {
      method: operation.method,
      path,
      headers: shown
        ? { [shown.header]: place?.['room_token'] ? `Bearer ${place['room_token']}` : shown.value }
        : {},
      body: null,
    },
    expects: 'sound',
    why: 'nothing',
    place: place ?? {},
  };
  if (operation.path.includes('{') && (which !== 'live' || !place)) {
    planned.expects = 'unknown';
    planned.why = `its id is ${place ? which : oddId}`;
  }
  return planned;
}

function addQuery({ rules, meanings, operation, draft, fill }: PlanParts, planned: Planned): void {
  const { wrong } = draft;
  const tidied = meanings.tidyQuery(operation, draft.query);
  const { cursor: wantsCursor, ...drafted } = tidied;
  const known = fill.cursor(planned.raw.path);
  let pairs = Object.entries(drafted).map(([name, value]): [string, string] => [
    name,
    String(fillIn(value, fill)),
  ]);
  if (wantsCursor !== undefined && known) {
    const limit = pairs.filter(([name]) => name === 'limit');
    pairs = [...known.query, ...limit, ['cursor', known.cursor]];
  }
  if (wrong.part === 'query') {
    const names = [...parameters(operation, 'query').map(({ name }) => name), 'another'];
    const name = names[wrong.pick % names.length]!;
    const altered = name === 'cursor' && known ? tampered(known.cursor) : [];
    const value = [...altered, ...oddTexts][wrong.how % (altered.length + oddTexts.length)]!;
    // Sometimes repeated.
    if (wrong.pick % 7 > 0) pairs = pairs.filter(([each]) => each !== name);
    pairs.push([name, value]);
    planned.why = `query ${name} is ${JSON.stringify(value.slice(0, 80))}`;
    expect(planned, rules.parameterFault(operation, 'query', grouped(pairs)));
    if (altered.includes(value)) planned.expects = 'refused';
  }
  const text = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  if (text) planned.raw.path += `?${text}`;
}

/** As servers parse it: a list for a repeated name. */
function grouped(pairs: [string, string][]): Record<string, unknown> {
  const all = Object.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    Object.entries(all).map(([name, each = []]) => {
      const values = each.map(([, value]) => value);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

function addHeaders({ rules, operation, draft }: PlanParts, planned: Planned): void {
  const { headers, wrong } = draft;
  const given = Object.fromEntries(
    // Other values cannot be sent.
    Object.entries(headers).map(([name, value]) => [
      name,
      String(value).replace(/[^\x20-\x7e]/g, 'x'),
    ]),
  );
  if (wrong.part === 'header') {
    const names = [...parameters(operation, 'header').map(({ name }) => name), 'accept'];
    const name = names[wrong.pick % names.length]!;
    given[name] = oddHeaders[wrong.how % oddHeaders.length]!;
    planned.why = `header ${name} is ${JSON.stringify(given[name].slice(0, 80))}`;
    expect(planned, rules.parameterFault(operation, 'header', given));
  }
  Object.assign(planned.raw.headers, given);
}

function addBody({ rules, meanings, operation, draft, fill }: PlanParts, planned: Planned): void {
  const { raw } = planned;
  const { wrong } = draft;
  const schema = rules.bodySchema(operation);
  if (!operation.requestBody) {
    if (wrong.part !== 'content type') return;
    // The operation has no body, so any body must be ignored.
    const { type, body } = unasked[wrong.how % unasked.length]!;
    if (type) raw.headers['content-type'] = type;
    raw.body = body;
    planned.why = `a body of ${type} that nobody asked for`;
    return;
  }
  const form = rules.bodySchema(operation, FORM);
  if (form) return addForm(rules.resolve(form).required ?? [], draft, planned);
  if (!schema) {
    raw.headers['content-type'] = Object.keys(operation.requestBody.content)[0]!;
    raw.body = draft.body as Uint8Array;
    return;
  }
  let body = meanings.tidy(operation, fillIn(draft.body, fill));
  if (wrong.part === 'body') {
    const spoiled = spoil(rules, schema, body, wrong.pick, wrong.how);
    body = spoiled.value;
    planned.why = spoiled.what;
    const text = toText(body);
    expect(planned, text === '' ? 'no body' : rules.bodyFault(operation, JSON.parse(text)));
  }
  raw.headers['content-type'] = 'application/json';
  raw.body = toText(body);
  if (wrong.part === 'content type') {
    const type = wrongTypes[wrong.how % wrongTypes.length]!;
    raw.headers['content-type'] = type;
    planned.why = `its content type is ${type}`;
    planned.expects = 'unreadable';
  }
  if (wrong.part === 'body text') {
    const change = textChanges[wrong.how % textChanges.length]!;
    raw.body = change.to(raw.body);
    planned.why = change.what;
    planned.expects = change.isReadable ? 'free' : 'unreadable';
  }
}

function addForm(required: string[], { body, wrong }: Draft, planned: Planned): void {
  const { raw } = planned;
  let form = body as Form;
  if (wrong.part === 'body') {
    const spoiled = spoilForm(form, required, wrong.pick, wrong.how);
    form = spoiled.form;
    planned.why = spoiled.what;
    planned.expects = spoiled.isWrong ? 'refused' : 'free';
  }
  raw.headers['content-type'] = FORM_TYPE;
  raw.body = toForm(form);
  if (wrong.part === 'content type') {
    const type = wrongTypes[wrong.how % wrongTypes.length]!;
    raw.headers['content-type'] = type;
    planned.why = `its content type is ${type}`;
    planned.expects = 'unreadable';
  }
}

/** By the document; an allowed request may still break a further rule. */
function expect(planned: Planned, fault: string | null): void {
  planned.expects = fault === null ? 'free' : 'refused';
  if (fault !== null) planned.why += ` (${fault})`;
}

function useWrongKey({ rules, operation, draft, fill }: PlanParts, planned: Planned): void {
  const { wrong } = draft;
  const scheme = rules.schemeOf(operation);
  const shown = fill.credentials[scheme];
  if (wrong.part !== 'key' || !shown) return;
  const keys = oddKeys[scheme] ?? [undefined];
  const key = keys[wrong.how % keys.length];
  if (key === undefined) delete planned.raw.headers[shown.header];
  else planned.raw.headers[shown.header] = key;
  planned.expects = 'no key';
  planned.why = `its ${scheme} is ${key}`;
}

function useWrongMethod({ rules, operation, draft }: PlanParts, planned: Planned): void {
  if (draft.wrong.part !== 'method') return;
  const known = rules.methodsOf(operation.path);
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
  const possible = others.filter((method) => !known.includes(method));
  planned.raw.method = possible[draft.wrong.how % possible.length]!;
  planned.expects = 'no method';
  planned.why = `its method is ${planned.raw.method}`;
}

function fillIn(value: unknown, fill: Fillings): unknown {
  if (value instanceof IdOf) return fill.id(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => fillIn(item, fill));
    // Two choices may be the same resource.
    return value.some((item) => item instanceof IdOf) ? [...new Set(items)] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fillIn(each, fill)]),
  );
}

/** Lone surrogates cannot be encoded as UTF-8. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function tampered(cursor: string): string[] {
  const middle = cursor.length >> 1;
  const other = cursor[middle] === 'A' ? 'B' : 'A';
  return [
    cursor.slice(0, -4),
    `${cursor}AAAA`,
    cursor.slice(0, middle) + other + cursor.slice(middle + 1),
    cursor.split('').toReversed().join(''),
  ];
}
