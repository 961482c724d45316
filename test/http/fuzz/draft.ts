import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Parameter, Rules } from './document.ts';
import { FORM } from './form.ts';
import { fromSchema } from './from-schema.ts';
import { isShared, type Meanings } from './meanings.ts';

export type Which = 'live' | 'gone' | 'foreign' | 'odd';

/** The fault of a request, if any. The numbers select among the possibilities. */
export type Wrong =
  | { part: 'nothing' }
  | { part: 'body'; pick: number; how: number }
  | { part: 'body text'; how: number }
  | { part: 'content type'; how: number }
  | { part: 'query'; pick: number; how: number }
  | { part: 'header'; pick: number; how: number }
  | { part: 'path'; which: Which; pick: number }
  | { part: 'key'; how: number }
  | { part: 'method'; how: number };

/** A request before ids and cursors are filled in. */
export type Draft = {
  /** Selects the live resource that the path names. */
  place: number;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
  wrong: Wrong;
};

const number = fc.nat(10_000);

export function soundDraft(
  rules: Rules,
  operation: Operation,
  meanings: Meanings,
): Arbitrary<Draft> {
  return draftOf(rules, operation, meanings, fc.constant({ part: 'nothing' }));
}

export function anyDraft(rules: Rules, operation: Operation, meanings: Meanings): Arbitrary<Draft> {
  const ways: { arbitrary: Arbitrary<Wrong>; weight: number }[] = [
    { weight: 8, arbitrary: fc.constant({ part: 'nothing' }) },
    { weight: 1, arbitrary: wrong('key', { how: number }) },
    { weight: 1, arbitrary: wrong('method', { how: number }) },
    { weight: 1, arbitrary: wrong('content type', { how: number }) },
    { weight: 1, arbitrary: wrong('header', { pick: number, how: number }) },
    { weight: 2, arbitrary: wrong('query', { pick: number, how: number }) },
  ];
  if (operation.path.includes('{')) {
    const which = fc.constantFrom<Which>('gone', isShared(operation) ? 'odd' : 'foreign', 'odd');
    ways.push({ weight: 4, arbitrary: wrong('path', { which, pick: number }) });
  }
  if (rules.bodySchema(operation)) {
    ways.push(
      { weight: 16, arbitrary: wrong('body', { pick: number, how: number }) },
      { weight: 2, arbitrary: wrong('body text', { how: number }) },
    );
  }
  if (rules.bodySchema(operation, FORM)) {
    ways.push({ weight: 12, arbitrary: wrong('body', { pick: number, how: number }) });
  }
  return draftOf(rules, operation, meanings, fc.oneof(...ways));
}

function draftOf(
  rules: Rules,
  operation: Operation,
  meanings: Meanings,
  wrong: Arbitrary<Wrong>,
): Arbitrary<Draft> {
  return fc.record({
    place: number,
    query: parametersOf(rules, operation, 'query', meanings),
    headers: parametersOf(rules, operation, 'header', meanings),
    body: bodyOf(rules, operation, meanings),
    wrong,
  });
}

function wrong(part: Wrong['part'], more: Record<string, Arbitrary<unknown>>) {
  return fc.record({ part: fc.constant(part), ...more }) as Arbitrary<Wrong>;
}

export const parameters = (operation: Operation, place: string): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place);

function parametersOf(rules: Rules, operation: Operation, place: string, meanings: Meanings) {
  const meaning = meanings.of(operation);
  const here = parameters(operation, place);
  return fc.record(
    Object.fromEntries(
      here.map(({ name, schema }) => [name, meaning(`?${name}`) ?? fromSchema(rules, schema)]),
    ),
    { requiredKeys: here.filter(({ required }) => required).map(({ name }) => name) },
  ) as Arbitrary<Record<string, unknown>>;
}

function bodyOf(rules: Rules, operation: Operation, meanings: Meanings): Arbitrary<unknown> {
  const schema = rules.bodySchema(operation) ?? rules.bodySchema(operation, FORM);
  if (schema) return fromSchema(rules, schema, meanings.of(operation));
  if (!operation.requestBody) return fc.constant(null);
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 2_000 });
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
  // Mostly acceptable content: other content of a knowledge file is always refused.
  return fc.oneof(bytes, {
    arbitrary: text.map((all) => new TextEncoder().encode(all)),
    weight: 9,
  });
}
