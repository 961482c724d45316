import fc, { type Arbitrary } from 'fast-check';
import type { Rules, Schema } from './document.ts';

/**
 * Value of a meaningful field by its pointer (`/video/width`, `/files/0`). Undefined: use the
 * schema alone.
 */
export type Meaning = (at: string) => Arbitrary<unknown> | undefined;

const DEEP = 4;

/** Values that the schema allows. */
export function fromSchema(
  rules: Rules,
  schema: Schema,
  meaning: Meaning = () => undefined,
): Arbitrary<unknown> {
  return valueOf(rules, schema, meaning, '');
}

function valueOf(rules: Rules, given: Schema, meaning: Meaning, at: string): Arbitrary<unknown> {
  const schema = flatten(rules, given);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    return fc.oneof(...branches.map((branch) => valueOf(rules, branch, meaning, at)));
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? ['string', 'integer', 'boolean', 'null']].flat();
  return fc.oneof(...types.map((type) => ofType(rules, type, schema, meaning, at)));
}

function ofType(
  rules: Rules,
  type: string,
  schema: Schema,
  meaning: Meaning,
  at: string,
): Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(rules, schema, meaning, at);
    case 'array':
      return listOf(rules, schema, meaning, at);
    case 'string':
      return textOf(rules, schema);
    case 'integer': {
      const { min = -(2 ** 31), max = 2 ** 31 } = bounds(schema, 1);
      return fc.integer({ min, max });
    }
    case 'number': {
      const { min, max } = bounds(schema, 1e-6);
      return fc.double({ min: min ?? -1e9, max: max ?? 1e9, noNaN: true });
    }
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

function objectOf(rules: Rules, schema: Schema, meaning: Meaning, at: string): Arbitrary<object> {
  const isDeep = at.split('/').length > DEEP;
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => !isDeep || required.includes(name))
    .map(([name, field]) => {
      const place = `${at}/${name}`;
      return [name, meaning(place) ?? valueOf(rules, field, meaning, place)] as const;
    });
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: required });

  const { additionalProperties: others } = schema;
  if (typeof others !== 'object') return record;
  const most = schema.maxProperties ?? 60;
  const least = schema.minProperties ?? 0;
  const other = fc.dictionary(text(1, 20), valueOf(rules, others, meaning, `${at}/*`), {
    minKeys: least,
    maxKeys: Math.max(least, Math.min(most, 3)),
    noNullPrototype: true,
  });
  // Rarely the maximum: it makes a large body.
  const full = valueOf(rules, others, meaning, `${at}/*`).map((value) =>
    Object.fromEntries(Array.from({ length: most }, (_, i) => [`name-${i}`, short(value)])),
  );
  const extra = fields.length > 0 ? other : fc.oneof({ arbitrary: other, weight: 20 }, full);
  return fc.tuple(extra, record).map(([more, own]) => ({ ...more, ...own }));
}

const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, 8) : value);

function listOf(rules: Rules, schema: Schema, meaning: Meaning, at: string): Arbitrary<unknown[]> {
  const place = `${at}/0`;
  const item = meaning(place) ?? valueOf(rules, schema.items ?? {}, meaning, place);
  const minLength = schema.minItems ?? 0;
  const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? 3, 3));
  return schema.uniqueItems
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
    : fc.array(item, { minLength, maxLength });
}

function textOf(rules: Rules, schema: Schema): Arbitrary<string> {
  const { minLength = 0, maxLength = 200 } = schema;
  const fits = rules.checkOf(schema);
  const formatted = schema.format && formats[schema.format];
  if (formatted) return formatted.filter(fits);
  if (!schema.pattern) return text(minLength, maxLength);
  // If the pattern only forbids a few characters, plain text of the right length tests more.
  const plain = text(minLength, maxLength);
  const isLoose = fc.sample(plain, { numRuns: 20, seed: 1 }).every(fits);
  return isLoose
    ? plain.filter(fits)
    : fc.stringMatching(new RegExp(schema.pattern, 'u'), { maxLength: 60 }).filter(fits);
}

const formats: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': fc
    .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uri: fc.webUrl({ withQueryParameters: true }),
  email: fc.emailAddress(),
};

const sign = fc.oneof(
  {
    arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    weight: 6,
  },
  fc.constantFrom(
    'é',
    'ß',
    '漢',
    'ع',
    '🙂',
    '\u200d',
    '\u0301',
    '\n',
    '\t',
    '"',
    '\\',
    '\u2028',
    '%',
    '\u007f',
  ),
);

/** Lengths are code points, as in JSON Schema. */
function text(minLength: number, maxLength: number): Arbitrary<string> {
  const few = Math.max(minLength, Math.min(maxLength, 30));
  return fc.oneof(
    { arbitrary: fc.string({ unit: sign, minLength, maxLength: few }), weight: 12 },
    fc
      .constant('🙂'.repeat(Math.min(maxLength, 2_000)))
      .filter((all) => all.length / 2 >= minLength),
    fc.constant('a'.repeat(Math.max(minLength, 1))).filter((all) => all.length <= maxLength),
  );
}

function bounds(schema: Schema, step: number): { min?: number; max?: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const min = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + step;
  const max = exclusiveMaximum === undefined ? maximum : exclusiveMaximum - step;
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** Resolves references and merges `allOf`. */
export function flatten(rules: Rules, given: Schema): Schema {
  const schema = rules.resolve(given);
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = [own, ...allOf.map((part) => flatten(rules, part))];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}
