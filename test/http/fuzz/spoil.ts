import { flatten } from './from-schema.ts';
import type { Rules, Schema } from './document.ts';

/** Placeholder for a number beyond double range, inserted into the JSON text at the end. */
export const HUGE = '\u0001a number beyond all doubles\u0001';

export const toText = (body: unknown): string =>
  (JSON.stringify(body) ?? '').replaceAll(JSON.stringify(HUGE), '1e999');

type Place = { at: (string | number)[]; schema: Schema; value: unknown };
type Change = {
  what: string;
  apply: (parent: Record<string | number, unknown>, name: string | number) => void;
};

/**
 * The value with one typical mistake, chosen by `pick` and `how`. The document decides whether the
 * result is invalid.
 */
export function spoil(
  rules: Rules,
  schema: Schema,
  value: unknown,
  pick: number,
  how: number,
): { what: string; value: unknown } {
  const root = { value: structuredClone(value) };
  const all = placesOf(rules, schema, root.value, ['value']);
  const place = all[pick % all.length]!;
  const changes = changesOf(place);
  const change = changes[how % changes.length]!;
  const parent = place.at
    .slice(0, -1)
    .reduce<unknown>((within, name) => (within as Record<string, unknown>)[name], root);
  change.apply(parent as Record<string, unknown>, place.at.at(-1)!);
  return { what: `body/${place.at.slice(1).join('/')}: ${change.what}`, value: root.value };
}

/** All values inside, and places for additional ones. */
function placesOf(rules: Rules, given: Schema, value: unknown, at: Place['at']): Place[] {
  const schema = flatten(rules, given);
  const here = { at, schema, value };
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    const fitting = branches.find((branch) => rules.checkOf(branch)(value));
    return fitting ? [here, ...placesOf(rules, fitting, value, at).slice(1)] : [here];
  }
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, i) => placesOf(rules, schema.items ?? {}, item, [...at, i]));
    return [here, ...inner];
  }
  if (typeof value !== 'object' || value === null) return [here];
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const fields = value as Record<string, unknown>;
  const names = new Set([
    ...Object.keys(schema.properties ?? {}),
    ...Object.keys(fields).slice(0, 5),
  ]);
  const inner = [...names].flatMap((name) =>
    placesOf(rules, schema.properties?.[name] ?? others, fields[name], [...at, name]),
  );
  return [here, ...inner];
}

function changesOf({ schema, value }: Place): Change[] {
  return [
    ...otherKinds.map(put),
    ...texts(schema, value).map(put),
    ...numbers(schema).map(put),
    ...lists(schema, value).map(put),
    ...objects(schema, value).map(put),
    {
      what: 'left out',
      apply: (parent, name) => {
        if (Array.isArray(parent)) parent.splice(Number(name), 1);
        else delete parent[name];
      },
    },
  ];
}

const put = (value: unknown): Change => ({
  what: describe(value),
  apply: (parent, name) => {
    parent[name] = value;
  },
});

function describe(value: unknown): string {
  const text = toText(value);
  return text.length > 80 ? `${text.slice(0, 60)}... (${text.length} letters)` : text;
}

const otherKinds: unknown[] = [
  null,
  true,
  'text',
  '',
  '5',
  5,
  -1,
  0.5,
  HUGE,
  [],
  ['text'],
  {},
  { a: 1 },
];

function texts(schema: Schema, value: unknown): unknown[] {
  const { minLength = 0, maxLength, enum: allowed } = schema;
  const own = typeof value === 'string' ? value : 'text';
  const odd = [
    `${own}\u0000`,
    '\u0000',
    '\ud800',
    `${own}\udfff`,
    ` ${own}`,
    `${own}\n`,
    '\ufeff',
    own.toUpperCase(),
  ];
  const lengths = [minLength - 1, minLength, ...(maxLength ? [maxLength, maxLength + 1] : [20_000])]
    .filter((length) => length >= 0 && length < 30_000)
    .flatMap((length) => ['a'.repeat(length), '🙂'.repeat(length < 10_000 ? length : 1)]);
  const near = allowed?.map((each) => `${String(each)}x`) ?? [];
  return schema.type === undefined || [schema.type].flat().includes('string')
    ? [...odd, ...lengths, ...near]
    : odd.slice(0, 2);
}

function numbers(schema: Schema): unknown[] {
  const edges = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum]
    .filter((edge) => edge !== undefined)
    .flatMap((edge) => [edge - 1, edge - 0.001, edge, edge + 0.001, edge + 1, String(edge)]);
  return [...edges, 0, -0, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 5e-324];
}

function lists({ minItems = 0, maxItems }: Schema, value: unknown): unknown[] {
  if (!Array.isArray(value)) return [];
  const item: unknown = value[0] ?? 'text';
  const many = (length: number) => Array.from({ length }, () => item);
  const tooMany = maxItems === undefined ? 1_000 : maxItems + 1;
  return [many(2), many(tooMany), ...(minItems > 0 ? [many(minItems - 1)] : []), [null], [[item]]];
}

function objects({ maxProperties }: Schema, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return [
    { ...value, 'another field': 'of no meaning' },
    { ...value, '\u0000': 'text' },
    { ...value, 'a\nb': 5 },
    { ...value, '\ud800': 'text' },
    { ...value, ['']: 'text' },
    { ...value, constructor: 'text', toString: 'text' },
    { ...value, ...manyFields((maxProperties ?? 200) + 1) },
    { ...value, more: deep(20) },
  ];
}

const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`more-${i}`, 'text']));

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
