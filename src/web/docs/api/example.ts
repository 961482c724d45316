import { resolved, variantsOf, type ApiDocument, type Schema } from './document.ts';

const ID = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';
const FORMATS: Record<string, string> = {
  uuid: ID,
  'date-time': '2026-11-21T09:30:00.000000+00:00',
  uri: 'https://example.com',
  email: 'ada@example.com',
};

/** A body with every required field; of answers, every field. */
export function exampleOf(document: ApiDocument, given: Schema, isWhole: boolean): unknown {
  const schema = resolved(document, given);
  const known = schema.examples?.[0] ?? schema.example ?? schema.const ?? schema.enum?.[0];
  if (known !== undefined) return known;
  if (schema.default !== undefined) return schema.default;
  const [variant] = variantsOf(schema) ?? [];
  if (variant) return exampleOf(document, variant, isWhole);
  const [type = 'object'] = [schema.type ?? []].flat();
  switch (type) {
    case 'array':
      return schema.items ? [exampleOf(document, schema.items, isWhole)] : [];
    case 'object':
      return exampleObject(document, schema, isWhole);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return (schema.format && FORMATS[schema.format]) ?? 'text';
  }
}

function exampleObject(document: ApiDocument, schema: Schema, isWhole: boolean): object {
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, of]) => {
        const field = resolved(document, of);
        return required.includes(name) || (isWhole && !field.deprecated && !field.not);
      })
      .map(([name, of]) => [name, named(name) ?? exampleOf(document, of, isWhole)]),
  );
}

/** Fields that mean the same everywhere. */
function named(name: string): string | undefined {
  return { avatar_id: 'nora', name: 'Nora', url: 'https://example.com/troupe' }[name];
}
