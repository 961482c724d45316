/* Writes the generated files of src/clients/python. */
import { referenced, resolve, variantsOf, type OpenApi, type Schema } from './document.ts';
import { pascalCase, snakeCase } from './names.ts';
import { operationsOf, type Operation } from './operations.ts';
import { docstring, fieldsOf, PythonTypes } from './python-types.ts';
import { wrap } from './wrap.ts';

const HEAD = '# Generated from /openapi.json by `npm run sdks`. Do not edit.\n';

/** Contents by file name. */
export function pythonFiles(document: OpenApi): Record<string, string> {
  const operations = operationsOf(document);
  const types = new PythonTypes();
  const names = definitionsOf(document, operations);
  for (const name of names) types.define(name, resolve(document, { $ref: name }));
  const sync = resourcesFile(document, operations, types, false);
  const asyncio = resourcesFile(document, operations, types, true);
  return {
    '__init__.py': '',
    'models.py': modelsFile(document, types),
    'resources.py': sync,
    'async_resources.py': asyncio,
  };
}

function definitionsOf(document: OpenApi, operations: Operation[]): string[] {
  const used = operations.flatMap(({ body, query, result }) => [
    ...(body ? [body.schema] : []),
    ...query.map(({ schema }) => schema),
    ...('schema' in result ? [result.schema] : []),
  ]);
  return [...referenced(document, [...used, ...eventsOf(document)])].sort();
}

const eventsOf = ({ webhooks }: OpenApi): Schema[] =>
  Object.values(webhooks).map(({ post }) => post.requestBody!.content['application/json']!.schema!);

function modelsFile(document: OpenApi, types: PythonTypes): string {
  const union = eventsOf(document).map((each) => types.typeOf(each, ''));
  return `${HEAD}from __future__ import annotations

from typing import IO, Any, Literal, NotRequired, TypeAlias, TypedDict

FileContent: TypeAlias = "bytes | IO[bytes]"
"""The content of a file in a form."""


${types.definitions.join('\n\n')}

WebhookEvent: TypeAlias = (
    "${union.join(' "\n    "| ')}"
)
"""A delivery to a webhook."""
`;
}

function resourcesFile(
  document: OpenApi,
  operations: Operation[],
  types: PythonTypes,
  isAsync: boolean,
): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  const names = [...byResource.keys()];
  const prefix = isAsync ? 'Async' : '';
  const classes = [...byResource].map(
    ([resource, all]) => `class ${prefix}${pascalCase(resource)}:
    def __init__(self, transport: ${prefix}Transport) -> None:
        self._transport = transport

${all.map((each) => method(document, each, types, isAsync)).join('\n')}`,
  );
  return `${HEAD}# ruff: noqa: A002, A003
from __future__ import annotations

from typing import Any, List, Literal

import httpx2

from .._events import ${prefix}SessionEvents
from .._options import NOT_GIVEN, NotGiven, RequestOptions, RequestSpec, segment
from .._pages import ${prefix}Pages
from .._${isAsync ? 'async' : 'sync'}_transport import ${prefix}Transport
from . import models
from .models import FileContent

${classes.map((each) => `\n${each}`).join('\n')}

class ${prefix}Resources:
    def __init__(self, transport: ${prefix}Transport) -> None:
${names.map((name) => `        self.${snakeCase(name)} = ${prefix}${pascalCase(name)}(transport)`).join('\n')}
`;
}

/** Long lists of values in lines that fit. */
const wrapped = (text: string): string =>
  text.length <= COLUMNS
    ? text
    : text.replaceAll(
        /Literal\[(.*?)\]/g,
        (_, values: string) =>
          `Literal[\n            ${wrap(values, COLUMNS).join('\n            ')}\n        ]`,
      );

const COLUMNS = 84;

const KEYWORDS = ['from', 'import', 'class', 'def', 'is', 'in', 'global', 'pass'];
const argument = (name: string): string => (KEYWORDS.includes(name) ? `${name}_` : name);

type Field = { name: string; type: string; isRequired: boolean; about: string | undefined };

function method(
  document: OpenApi,
  operation: Operation,
  types: PythonTypes,
  isAsync: boolean,
): string {
  const { name, about, verb, path, ids, query, body, takesKey } = operation;
  const typeName = pascalCase(operation.resource) + pascalCase(name);
  const bodyFields = body ? bodyFieldsOf(document, body.schema, typeName, types) : [];
  const queryFields: Field[] = query.map(({ name, schema, required = false, description }) => ({
    name,
    type: inModels(types.typeOf(schema, typeName + pascalCase(name))),
    isRequired: required,
    about: description ?? schema.description,
  }));
  const fields = [...bodyFields, ...queryFields];
  const isBytes = body?.type === 'bytes';
  const [call, type] = callOf(operation, types, isAsync);
  const awaited = isAsync && ['json', 'nothing', 'raw'].includes(operation.result.kind);
  const parameters = [
    'self',
    ...ids.map((id) => `${id}: str`),
    ...(isBytes ? ['content: bytes'] : []),
    '*',
    ...fields
      .filter(({ isRequired }) => isRequired)
      .map(({ name, type }) => `${argument(name)}: ${type}`),
    ...fields
      .filter(({ isRequired }) => !isRequired)
      .map(({ name, type }) => `${argument(name)}: ${type} | NotGiven = NOT_GIVEN`),
    'options: RequestOptions | None = None',
  ];
  const dict = (dictFields: Field[]) =>
    `{\n${dictFields.map(({ name }) => `                "${name}": ${argument(name)},\n`).join('')}            }`;
  const url = path.replace(/\{(\w+)\}/g, '{segment($1)}');
  const spec = [
    `method="${verb.toUpperCase()}"`,
    `path=${url === path ? '' : 'f'}"${url}"`,
    ...(queryFields.length > 0 ? [`query=${dict(queryFields)}`] : []),
    ...(isBytes ? ['content=content'] : []),
    ...(body && !isBytes ? [`${body.type === 'form' ? 'form' : 'body'}=${dict(bodyFields)}`] : []),
    ...(takesKey ? ['takes_key=True'] : []),
  ];
  const request = `${awaited ? 'await ' : ''}self._transport.${call}(spec, options)`;
  // JSON is of any type: naming it tells type checkers what it is.
  const answer =
    operation.result.kind === 'json'
      ? `        answer: ${type} = ${request}\n        return answer`
      : `        return ${request}`;
  return `    ${awaited ? 'async ' : ''}def ${snakeCase(name)}(
${parameters.map((each) => `        ${wrapped(each)},`).join('\n')}
    ) -> ${type}:
${docstring(about, '        ')}        spec = RequestSpec(
${spec.map((each) => `            ${each},`).join('\n')}
        )
${answer}
`;
}

/** The fields of an object; of alternatives, those of all of them. */
function bodyFieldsOf(
  document: OpenApi,
  given: Schema,
  typeName: string,
  types: PythonTypes,
): Field[] {
  const fieldsByName = new Map<string, Field>();
  const variants = variantsOf(resolve(document, given)).map((each) => resolve(document, each));
  const objects = variants.filter(({ type }) => type === 'object');
  const owner = given.$ref?.split('/').at(-1) ?? typeName;
  for (const schema of objects) {
    for (const [name, property] of fieldsOf(schema)) {
      fieldsByName.set(name, {
        name,
        type: inModels(types.typeOf(property, owner + pascalCase(name.replaceAll('_', '-')))),
        isRequired: variants.every(({ required }) => required?.includes(name)),
        about: property.description,
      });
    }
  }
  return [...fieldsByName.values()];
}

/** The names of classes start with a capital. */
const inModels = (type: string): string =>
  // `list` is a method of most resources.
  type
    .replace(/\blist\[/g, 'List[')
    .replace(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
      word.startsWith('"') ||
      ['Any', 'List', 'Literal', 'None', 'True', 'False', 'FileContent'].includes(word)
        ? word
        : `models.${word}`,
    );

/** The method of the transport, and its type. */
function callOf(
  { result, resource, name }: Operation,
  types: PythonTypes,
  isAsync: boolean,
): [string, string] {
  const prefix = isAsync ? 'Async' : '';
  const typeName = pascalCase(resource) + pascalCase(name);
  switch (result.kind) {
    case 'json':
      return ['json', inModels(types.typeOf(result.schema, typeName))];
    case 'pages':
      return ['pages', `${prefix}Pages[${inModels(types.typeOf(result.schema, typeName))}]`];
    case 'nothing':
      return ['nothing', 'None'];
    case 'events':
      return ['events', `${prefix}SessionEvents`];
    case 'raw':
      return ['raw', 'httpx2.Response'];
  }
}
