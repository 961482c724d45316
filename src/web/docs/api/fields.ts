import { code, table } from '../facts/tables.ts';
import { resolved, variantsOf, type ApiDocument, type Schema } from './document.ts';

type Field = { path: string; type: string; isRequired: boolean; about: string };

/** Deeper objects are described by their own operations. */
const MAX_DEPTH = 3;

/** A table of the fields of a body, nested ones by their path, variants one after the other. */
export function fieldTable(document: ApiDocument, schema: Schema): string {
  const fullSchema = resolved(document, schema);
  const variants = objectVariants(document, fullSchema);
  if (variants.length > 1) {
    return variants
      .map((each) => `${variantTitle(document, each)}:\n\n${tableOf(document, each)}`)
      .join('\n\n');
  }
  return tableOf(document, fullSchema);
}

function tableOf(document: ApiDocument, schema: Schema): string {
  const fields = fieldsOf(document, schema, '', 0);
  if (fields.length === 0) return `A value of type ${typeOf(document, schema)}.`;
  return table(
    ['Field', 'Type', 'Meaning'],
    fields.map(({ path, type, isRequired, about }) => [
      `${code(path)}${isRequired ? ' (required)' : ''}`,
      type,
      about,
    ]),
  );
}

const objectVariants = (document: ApiDocument, schema: Schema): Schema[] =>
  (variantsOf(schema) ?? [])
    .map((each) => resolved(document, each))
    .filter(({ properties }) => properties);

/** By the constant that tells it from the others. */
function variantTitle(document: ApiDocument, { properties = {} }: Schema): string {
  const [name, value] =
    Object.entries(properties).find(([, each]) => resolved(document, each).const !== undefined) ??
    [];
  return name && value ? `With \`${name}\`: ${typeOf(document, value)}` : 'Or';
}

function fieldsOf(
  document: ApiDocument,
  reference: Schema,
  prefix: string,
  depth: number,
): Field[] {
  const schema = resolved(document, reference);
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, of]) => {
    const path = prefix + name;
    const field = resolved(document, of);
    const row = {
      path,
      type: typeOf(document, of),
      isRequired: required.includes(name),
      about: aboutOf({ ...field, ...of }),
    };
    return [row, ...below(document, field, path, depth)];
  });
}

function below(document: ApiDocument, field: Schema, path: string, depth: number): Field[] {
  if (depth >= MAX_DEPTH - 1) return [];
  const items = field.items && resolved(document, field.items);
  if (items?.properties) return fieldsOf(document, items, `${path}[].`, depth + 1);
  const [firstVariant, ...otherVariants] = objectVariants(document, field);
  const object = field.properties ? field : otherVariants.length === 0 ? firstVariant : undefined;
  return object ? fieldsOf(document, object, `${path}.`, depth + 1) : [];
}

/** In words: `text`, `whole number`, `list of text`. */
export function typeOf(document: ApiDocument, reference: Schema): string {
  const schema = resolved(document, reference);
  const variants = variantsOf(schema);
  if (variants) return [...new Set(variants.map((each) => typeOf(document, each)))].join(' or ');
  if (schema.not) return 'none';
  if (schema.const !== undefined) return valueOf(schema.const);
  if (schema.enum) return schema.enum.map(valueOf).join(', ');
  const types = [schema.type ?? []].flat();
  return types.length === 0
    ? 'any'
    : types.map((type) => oneType(document, schema, type)).join(' or ');
}

const valueOf = (value: unknown): string => code(JSON.stringify(value).replaceAll('"', ''));

const NAMES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
};
const FORMATS: Record<string, string> = {
  uuid: 'id',
  'date-time': 'time',
  uri: 'URL',
  binary: 'file',
  email: 'email address',
};

function oneType(document: ApiDocument, schema: Schema, type: string): string {
  if (type === 'array') return `list of ${schema.items ? typeOf(document, schema.items) : 'any'}`;
  if (type === 'object') return 'object';
  return (type === 'string' && schema.format && FORMATS[schema.format]) || NAMES[type] || type;
}

/** The description with the limits and the default. */
export function aboutOf(schema: Schema): string {
  const { description = '', minimum, maximum, minLength, maxLength, maxItems } = schema;
  const size = schema.type === 'string' ? lengthOf(minLength, maxLength) : '';
  return [
    schema.deprecated && 'Deprecated.',
    description && description.replaceAll('\n', ' '),
    range(minimum, maximum),
    size,
    maxItems !== undefined && `At most ${maxItems} entries.`,
    schema.default !== undefined && `Default: \`${JSON.stringify(schema.default)}\`.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function range(minimum?: number, maximum?: number): string {
  if (minimum !== undefined && maximum !== undefined)
    return minimum === maximum ? `Only ${minimum}.` : `${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `At least ${minimum}.`;
  return maximum === undefined ? '' : `At most ${maximum}.`;
}

function lengthOf(minimum = 0, maximum?: number): string {
  if (maximum === undefined) return minimum > 1 ? `At least ${minimum} characters.` : '';
  const most = maximum.toLocaleString('en');
  return minimum > 1 ? `${minimum} to ${most} characters.` : `At most ${most} characters.`;
}
