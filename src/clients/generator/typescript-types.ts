/* Schemas as TypeScript types. */
import { isImpossible, refName, variantsOf, type Schema } from './document.ts';
import { wrap } from './wrap.ts';

/** `refs`: how a named schema is written. */
export function typeOf(schema: Schema, refs: (name: string) => string = (name) => name): string {
  if (schema.$ref !== undefined) return refs(refName(schema.$ref));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf ?? schema.oneOf) {
    return [...new Set(variantsOf(schema).map((each) => typeOf(each, refs)))].join(' | ');
  }
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, refs)).join(' & ');
  // A file in a form.
  if (schema.contentMediaType !== undefined) return 'Blob';
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, refs)).join(' | ');
  }
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, refs)}>`;
    case 'object':
      return objectType(schema, refs);
    case undefined:
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema, refs: (name: string) => string): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const values = Object.values(patternProperties ?? {})[0] ?? additionalProperties;
  const lines = Object.entries(properties)
    .filter(([, property]) => !isImpossible(property) && !property.deprecated)
    .map(([name, property]) => {
      const mark = required.includes(name) ? '' : '?';
      return `${comment(property.description)}${key(name)}${mark}: ${typeOf(property, refs)};\n`;
    });
  if (lines.length > 0) return `{\n${lines.join('')}}`;
  const value = typeof values === 'object' ? typeOf(values, refs) : 'unknown';
  return `Record<string, ${value}>`;
}

const key = (name: string): string => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name));

const COLUMNS = 96;

/** A comment for editors, in lines that fit. */
export function comment(text: string | undefined): string {
  if (!text) return '';
  const lines = wrap(text.replaceAll('*/', '*\\/'), COLUMNS);
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}
