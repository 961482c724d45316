/* Makes a request of a draft: puts in what there is, does the one wrong thing, and says what must come of it. */
import type { Draft, Wrong } from './draft.ts';
import { parameters } from './draft.ts';
import type { Operation, Rules } from './document.ts';
import type { RawRequest } from './http-client.ts';
import type { Meanings } from './meanings.ts';
import { oddHeaders, oddIds, oddTexts, textChanges, unasked, wrongTypes } from './oddities.ts';
import { spoil, toText } from './spoil.ts';
import { IdOf, type Place } from './world.ts';

/** `free`: the document allows it, but finer rules may not. */
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
  /** What is wrong with it, in words. */
  why: string;
  place: Place;
};

/** What a draft leaves open. */
export type Fillings = {
  key: string;
  place(which: Extract<Wrong, { part: 'path' }>['which'] | 'live', pick: number): Place | null;
  id(reference: IdOf): string;
  cursor(pick: number): string | null;
};

export function plan(
  rules: Rules,
  operation: Operation,
  draft: Draft,
  meanings: Meanings,
  fill: Fillings,
): Planned {
  const { wrong } = draft;
  const which = wrong.part === 'path' ? wrong.which : 'live';
  const live = fill.place(which, wrong.part === 'path' ? wrong.pick : draft.place);
  const oddId = oddIds[(wrong.part === 'path' ? wrong.pick : 0) % oddIds.length]!;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    live ? encodeURIComponent(live[name] ?? 'none') : oddId,
  );
  const planned: Planned = {
    raw: { method: operation.method, path, headers: { 'x-api-key': fill.key }, body: null },
    expects: live && which === 'live' ? 'sound' : 'unknown',
    why: which === 'live' ? 'nothing' : `its id is ${live ? which : oddId}`,
    place: live ?? {},
  };
  if (!operation.path.includes('{')) planned.expects = 'sound';
  else if (which === 'live' && !live) planned.why = 'there is none';

  addQuery(rules, operation, draft, meanings, fill, planned);
  addHeaders(rules, operation, draft, planned);
  addBody(rules, operation, draft, meanings, fill, planned);
  if (wrong.part === 'key') useWrongKey(operation, wrong.how, planned);
  if (wrong.part === 'method') useWrongMethod(rules, operation, wrong.how, planned);
  const { body, headers } = planned.raw;
  if (body !== null) headers['content-length'] ??= String(Buffer.byteLength(body));
  return planned;
}

function addQuery(
  rules: Rules,
  operation: Operation,
  { query, wrong }: Draft,
  meanings: Meanings,
  fill: Fillings,
  planned: Planned,
): void {
  const known = parameters(operation, 'query').map(({ name }) => name);
  const pairs = Object.entries(meanings.tidyQuery(operation, query)).flatMap(
    ([name, value]): [string, string][] => {
      if (name !== 'cursor') return [[name, asText(value, fill)]];
      const cursor = fill.cursor(0);
      return cursor === null ? [] : [[name, cursor]];
    },
  );
  if (wrong.part === 'query') {
    const name = known[wrong.pick % (known.length + 1)] ?? 'another';
    const values = [...oddTexts, ...(name === 'cursor' ? tampered(fill) : [])];
    const value = values[wrong.how % values.length]!;
    if (wrong.pick % 7 > 0) removeAll(pairs, name);
    pairs.push([name, value]);
    planned.why = `query ${name} is ${JSON.stringify(value.slice(0, 80))}`;
    const given = Object.fromEntries(
      pairs.map(([each]) => {
        const all = pairs.filter(([other]) => other === each).map(([, text]) => text);
        return [each, all.length > 1 ? all : all[0]];
      }),
    );
    const fault = rules.parameterFault(operation, 'query', given);
    expect(planned, fault);
  }
  const text = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  if (text) planned.raw.path += `?${text}`;
}

function addHeaders(
  rules: Rules,
  operation: Operation,
  { headers, wrong }: Draft,
  planned: Planned,
): void {
  const given = Object.fromEntries(
    // No client could send the rest.
    Object.entries(headers).map(([name, value]) => [
      name,
      String(value).replace(/[^\x20-\x7e]/g, 'x'),
    ]),
  );
  const known = parameters(operation, 'header');
  if (wrong.part === 'header') {
    const name = known[wrong.pick % (known.length + 1)]?.name ?? 'accept';
    given[name] = oddHeaders[wrong.how % oddHeaders.length]!;
    planned.why = `header ${name} is ${JSON.stringify(given[name].slice(0, 80))}`;
    expect(planned, rules.parameterFault(operation, 'header', given));
  }
  Object.assign(planned.raw.headers, given);
}

function addBody(
  rules: Rules,
  operation: Operation,
  { body: drafted, wrong }: Draft,
  meanings: Meanings,
  fill: Fillings,
  planned: Planned,
): void {
  const { raw } = planned;
  const schema = rules.bodySchema(operation);
  if (!operation.requestBody) {
    if (wrong.part !== 'content type') return;
    // Nothing was asked for: it does not matter what comes.
    const { type, body } = unasked[wrong.how % unasked.length]!;
    if (type) raw.headers['content-type'] = type;
    raw.body = body;
    planned.why = `a body of ${type} that nobody asked for`;
    return;
  }
  if (!schema) {
    raw.headers['content-type'] = Object.keys(operation.requestBody.content)[0]!;
    raw.body = drafted as Uint8Array;
    return;
  }
  let body = meanings.tidy(operation, fillIn(drafted, fill));
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
    planned.expects = 'unreadable';
  }
}

/** By the document's word; a request that it still allows may break a finer rule. */
function expect(planned: Planned, fault: string | null): void {
  planned.expects = fault === null ? 'free' : 'refused';
  if (fault !== null) planned.why += ` (${fault})`;
}

function useWrongKey(operation: Operation, how: number, planned: Planned): void {
  if (operation.security?.length === 0) return;
  const key = [undefined, '', 'not-a-key', 'x'.repeat(2_000), "' or 1=1 --", 'sch\u00fcssel', ' '][
    how % 7
  ];
  if (key === undefined) delete planned.raw.headers['x-api-key'];
  else planned.raw.headers['x-api-key'] = key;
  planned.expects = 'no key';
  planned.why = `its key is ${key}`;
}

function useWrongMethod(rules: Rules, { path }: Operation, how: number, planned: Planned): void {
  const known = rules.methodsOf(path);
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
  const possible = others.filter((method) => !known.includes(method));
  planned.raw.method = possible[how % possible.length]!;
  planned.expects = 'no method';
  planned.why = `its method is ${planned.raw.method}`;
}

function fillIn(value: unknown, fill: Fillings): unknown {
  if (value instanceof IdOf) return fill.id(value);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fillIn(each, fill)]),
  );
}

const asText = (value: unknown, fill: Fillings): string => String(fillIn(value, fill));

/** Lone surrogates have no UTF-8. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function removeAll(pairs: [string, string][], name: string): void {
  for (let i = pairs.length - 1; i >= 0; i--) if (pairs[i]![0] === name) pairs.splice(i, 1);
}

function tampered(fill: Fillings): string[] {
  const cursor = fill.cursor(0) ?? 'MTc2NzI2ODgwMDAwMDow';
  const middle = cursor.length >> 1;
  const other = cursor[middle] === 'A' ? 'B' : 'A';
  return [
    cursor.slice(0, -4),
    `${cursor}AAAA`,
    cursor.slice(0, middle) + other + cursor.slice(middle + 1),
    cursor.toLowerCase(),
    cursor.split('').toReversed().join(''),
    Buffer.from('{"at":0}').toString('base64url'),
  ];
}
