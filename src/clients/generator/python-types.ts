/* Schemas as Python types: a TypedDict for each object, named after where it stands. */
import { isImpossible, refName, variantsOf, type Schema } from './document.ts';
import { pascalCase } from './names.ts';
import { wrap } from './wrap.ts';

const COLUMNS = 88;

/** Collects the classes that types need, those of inner objects first. */
export class PythonTypes {
  readonly #definitions = new Map<string, string>();

  /** Sorted so that each type follows the types that it uses. */
  get definitions(): string[] {
    return [...this.#definitions.values()];
  }

  /** Defines a named schema of the document. */
  define(name: string, schema: Schema): void {
    if (isTypedDict(schema)) return void this.#class(name, schema);
    const type = this.typeOf(schema, name);
    this.#definitions.set(
      name,
      `${name}: TypeAlias = "${type}"\n${docstring(schema.description, '')}`,
    );
  }

  /** `name`: for the class of an object without a name. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return refName(schema.$ref);
    if ('const' in schema) return literal([schema.const]);
    if (schema.enum) return literal(schema.enum);
    if (schema.anyOf ?? schema.oneOf) return this.#union(variantsOf(schema), name);
    if (schema.contentMediaType !== undefined) return 'FileContent';
    if (Array.isArray(schema.type)) {
      return this.#union(
        schema.type.map((type) => ({ ...schema, type })),
        name,
      );
    }
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `list[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`;
      case 'object':
        return isTypedDict(schema)
          ? this.#class(name, schema)
          : `dict[str, ${this.#valueOf(schema, name)}]`;
      case undefined:
      default:
        return 'Any';
    }
  }

  #union(variants: Schema[], name: string): string {
    const isSingle = variants.filter(({ type }) => type !== 'null').length === 1;
    const types = variants.map((each, at) =>
      this.typeOf(each, isSingle ? name : variantName(each, name, at)),
    );
    return [...new Set(types)].join(' | ');
  }

  #valueOf({ additionalProperties, patternProperties }: Schema, name: string): string {
    const values = Object.values(patternProperties ?? {})[0] ?? additionalProperties;
    return typeof values === 'object' ? this.typeOf(values, `${name}Value`) : 'Any';
  }

  #class(name: string, schema: Schema): string {
    const fields = fieldsOf(schema).map(([field, property]) => {
      const type = this.typeOf(property, name + pascalCase(field.replaceAll('_', '-')));
      const isRequired = schema.required?.includes(field) ?? false;
      const about = docstring(property.description, '    ');
      return `    ${field}: ${isRequired ? type : `NotRequired[${type}]`}\n${about}`;
    });
    const about = docstring(schema.description, '    ');
    const text = `class ${name}(TypedDict):\n${about}${about && '\n'}${fields.join('')}`;
    const definition = this.#definitions.get(name);
    if (definition !== undefined && definition !== text)
      throw new Error(`Two types are called ${name}`);
    this.#definitions.set(name, text);
    return name;
  }
}

/** Without fields that are refused or kept for older clients only. */
export const fieldsOf = ({ properties = {} }: Schema): [string, Schema][] =>
  Object.entries(properties).filter(([, each]) => !isImpossible(each) && !each.deprecated);

const isTypedDict = (schema: Schema): boolean =>
  schema.type === 'object' && fieldsOf(schema).length > 0;

/** A field with one value distinguishes variants, mostly `type` or `status`. */
function variantName({ properties = {}, $ref }: Schema, name: string, at: number): string {
  if ($ref !== undefined) return refName($ref);
  const [mark] = Object.values(properties)
    .map(onlyValue)
    .filter((value) => typeof value === 'string');
  return mark === undefined ? `${name}${at + 1}` : name + pascalCase(mark.replaceAll(/[_.]/g, '-'));
}

const onlyValue = (schema: Schema): unknown =>
  'const' in schema ? schema.const : schema.enum?.length === 1 ? schema.enum[0] : undefined;

const literal = (values: unknown[]): string =>
  `Literal[${values.map((each) => (typeof each === 'boolean' ? pascalCase(String(each)) : JSON.stringify(each))).join(', ')}]`;

export function docstring(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = wrap(
    text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"),
    COLUMNS - indent.length,
  );
  const body = lines.join(`\n${indent}`);
  // A quote at the end would join the closing ones.
  return `${indent}"""${body}${body.endsWith('"') ? ' ' : ''}"""\n`;
}
