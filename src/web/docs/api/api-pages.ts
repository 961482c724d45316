import { code, table } from '../facts/tables.ts';
import {
  resolved,
  type ApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './document.ts';
import { exampleOf } from './example.ts';
import { aboutOf, fieldTable, typeOf } from './fields.ts';
import { requestSamples, type ApiRequest } from './request-samples.ts';

type Placed = { method: string; path: string; operation: Operation };
export type PageText = { name: string; text: string };

/** A page for each tag, and one that lists all operations. `version` is that of the software. */
export function apiPages(document: ApiDocument, version: string): PageText[] {
  const tags = (document.tags ?? []).filter(({ name }) => operationsOf(document, name).length > 0);
  return [
    { name: 'api', text: overview(document, version) },
    ...tags.map(({ name, description = '' }) => ({
      name: apiPageName(name),
      text: [
        head(name, description),
        description,
        ...operationsOf(document, name).map((placed) => section(document, placed)),
      ].join('\n\n'),
    })),
  ];
}

export const apiPageName = (tag: string): string =>
  `api/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

const head = (title: string, description: string): string =>
  `---\ntitle: ${title}\ndescription: "${description.replaceAll('"', '')}"\n---`;

function operationsOf({ paths }: ApiDocument, tag: string): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(tag) ?? false)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function overview(document: ApiDocument, version: string): string {
  const { info, tags = [] } = document;
  const groups = tags.flatMap(({ name, description = '' }) => {
    const operations = operationsOf(document, name);
    if (operations.length === 0) return [];
    const rows = operations.map(({ method, path, operation }) => [
      `[${titleOf(operation)}](/docs/${apiPageName(name)}#${operation.operationId})`,
      code(`${method} ${path}`),
    ]);
    return [`## ${name}\n\n${description}\n\n${table(['Operation', 'Request'], rows)}`];
  });
  return [
    head('API reference', 'Every operation of the HTTP API, with its fields, answers and samples.'),
    `Troupe ${version}, version ${info.version} of the interface. ${info.description ?? ''}`,
    'The same as OpenAPI 3.1: [/openapi.json](/openapi.json). Send requests from the browser: [API console](/docs/api/console).',
    'Requests carry an API key in the header `x-api-key`. Bodies are JSON. Refused requests have a `detail`: [Limits and errors](/docs/limits).',
    ...groups,
  ].join('\n\n');
}

const titleOf = ({ summary, operationId, deprecated }: Operation): string =>
  `${summary ?? operationId}${deprecated ? ' (deprecated)' : ''}`;

function section(document: ApiDocument, { method, path, operation }: Placed): string {
  const { description, parameters = [], requestBody, responses = {} } = operation;
  return [
    `## ${titleOf(operation)} {#${operation.operationId}}`,
    `\`${method} ${path}\``,
    description ?? '',
    requestSamples(requestOf(document, method, path, operation)),
    parameterTable(document, parameters),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
      schema ? [`**${bodyTitle(type)}**`, fieldTable(document, schema)] : [],
    ),
    '**Answers**',
    table(
      ['Status', 'Meaning'],
      Object.entries(responses).map(([status, { description: meaning = '' }]) => [
        code(status),
        meaning.replaceAll('\n', ' '),
      ]),
    ),
    answer(document, operation),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const bodyTitle = (type: string): string => (type.includes('form') ? 'Form' : 'Body');

function parameterTable(document: ApiDocument, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  return table(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required, description, schema = {} }) => [
      `${code(name)}${required ? ' (required)' : ''}`,
      place,
      typeOf(document, schema),
      aboutOf({
        ...resolved(document, schema),
        ...(description && { description }),
      }),
    ]),
  );
}

/** The fields of a successful answer, and an example. */
function answer(document: ApiDocument, { responses = {} }: Operation): string {
  const [status, response] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  const schema = response?.content?.['application/json']?.schema;
  if (!status || !schema) return '';
  const example = JSON.stringify(exampleOf(document, schema, true), null, 2);
  return `\`\`\`json title="Answer ${status}"\n${example}\n\`\`\`\n\n${fieldTable(document, schema)}`;
}

function requestOf(
  document: ApiDocument,
  method: string,
  path: string,
  operation: Operation,
): ApiRequest {
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json']?.schema;
  const form = content['multipart/form-data']?.schema;
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase()),
    header: headerOf(document, operation),
    ...(json && { body: exampleOf(document, json, false) }),
    ...(!json && form && { form: formOf(document, form) }),
  };
}

const KEY = ['x-api-key', '', 'TROUPE_API_KEY'] as const;
const headers: Record<string, readonly [string, string, string]> = {
  apiKey: KEY,
  operatorKey: ['x-api-key', '', 'OPERATOR_KEY'],
  adminPassword: ['authorization', 'Bearer ', 'TROUPE_ADMIN_PASSWORD'],
  roomToken: ['authorization', 'Bearer ', 'ROOM_TOKEN'],
  linkToken: ['authorization', 'Bearer ', 'LINK_TOKEN'],
};

function headerOf(document: ApiDocument, { security = document.security }: Operation) {
  const [scheme] = Object.keys(security?.[0] ?? {});
  return (scheme !== undefined && headers[scheme]) || null;
}

function formOf(document: ApiDocument, schema: Schema): Record<string, string> {
  const { properties = {}, required = [] } = resolved(document, schema);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, of]) => {
        const { format } = resolved(document, of);
        return [
          name,
          format === 'binary' ? `@${name}.jpg` : String(exampleOf(document, of, false)),
        ];
      }),
  );
}
