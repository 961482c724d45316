import { code, table } from '../facts/tables.ts';
import { resolved, type ApiDocument, type Operation, type Parameter } from './document.ts';
import { aboutOf, fieldTable, typeOf } from './fields.ts';
import { recordedExamples } from './recorded-examples.ts';
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

/** The fields of a successful answer, and a recorded example. */
function answer(document: ApiDocument, { operationId, responses = {} }: Operation): string {
  const [status, response] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  const content = Object.values(response?.content ?? {})[0];
  const recorded = recordedExamples[operationId]?.answer;
  if (!status || recorded === undefined) return '';
  const [language, text] =
    typeof recorded === 'string' ? ['text', recorded] : ['json', JSON.stringify(recorded, null, 2)];
  const fields = content?.schema && language === 'json' ? fieldTable(document, content.schema) : '';
  return `\`\`\`${language} title="Answer ${status}"\n${text}\n\`\`\`\n\n${fields}`;
}

function requestOf(
  document: ApiDocument,
  method: string,
  path: string,
  operation: Operation,
): ApiRequest {
  const { query = '', body, form, file } = recordedExamples[operation.operationId] ?? {};
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase()) + query,
    header: headerOf(document, operation),
    ...(body !== undefined && { body }),
    ...(form && { form }),
    ...(file && { file }),
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

export function headerOf(document: ApiDocument, { security = document.security }: Operation) {
  const [scheme] = Object.keys(security?.[0] ?? {});
  return (scheme !== undefined && headers[scheme]) || null;
}
