/* Writes the generated files of src/clients/typescript. */
import { referenced, resolve, type OpenApi, type Parameter } from './document.ts';
import { operationsOf, type Operation } from './operations.ts';
import { pascalCase } from './names.ts';
import { comment, typeOf } from './typescript-types.ts';

const HEAD = '// Generated from /openapi.json by `npm run sdks`. Do not edit.\n';

/** Contents by file name. */
export function typescriptFiles(document: OpenApi): Record<string, string> {
  const operations = operationsOf(document);
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  return {
    'models.ts': models(document, operations),
    'troupe.ts': client([...byResource.keys()]),
    'resources.ts': queries([...byResource.keys()]),
    ...Object.fromEntries(
      [...byResource].map(([resource, all]) => [
        `${fileOf(resource)}.ts`,
        resourceFile(resource, all),
      ]),
    ),
  };
}

const className = (resource: string): string => `${pascalCase(resource)}Resource`;

const fileOf = (resource: string): string =>
  resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function models(document: OpenApi, operations: Operation[]): string {
  const events = Object.entries(document.webhooks).map(
    ([, { post }]) => post.requestBody!.content['application/json']!.schema!,
  );
  const used = operations.flatMap(({ body, query, result }) => [
    ...(body ? [body.schema] : []),
    ...query.map(({ schema }) => schema),
    ...('schema' in result ? [result.schema] : []),
  ]);
  const names = [...referenced(document, [...used, ...events])].sort();
  const types = names.map((name) => {
    const schema = resolve(document, { $ref: name });
    return `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`;
  });
  const union = `/** A delivery to a webhook. */\nexport type WebhookEvent = ${events.map((event) => typeOf(event)).join(' | ')};\n`;
  return [HEAD, ...types, union].join('\n');
}

function client(names: string[]): string {
  const imports = names.map((name) => `import { ${className(name)} } from './${fileOf(name)}.ts';`);
  return `${HEAD}import { openTransport, type TroupeOptions } from '../open-transport.ts';
import type { Surroundings } from '../surroundings.ts';
${imports.join('\n')}

/** The client. Holds no connection and needs no closing. */
export class Troupe {
${names.map((name) => `  readonly ${name}: ${className(name)};`).join('\n')}

  /** @internal \`around\` is for tests and our own programs. */
  constructor(options: TroupeOptions = {}, around?: Surroundings) {
    const transport = openTransport(options, around);
${names.map((name) => `    this.${name} = new ${className(name)}(transport);`).join('\n')}
  }
}
`;
}

const queries = (names: string[]): string =>
  `${HEAD}${names.map((name) => `export type * from './${fileOf(name)}.ts';`).join('\n')}\n`;

function resourceFile(resource: string, operations: Operation[]): string {
  const params = operations.filter(({ query }) => query.length > 0).map(paramsType);
  const methods = operations.map(method);
  const body = `${params.join('\n')}
export class ${className(resource)} {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

${methods.join('\n')}}
`;
  const has = (name: string) => new RegExp(`\\b${name}\\b`).test(body);
  const imports = [
    has('Pages') && "import type { Pages } from '../pages.ts';",
    has('RequestOptions') && "import type { RequestOptions } from '../request-options.ts';",
    has('SessionEvents') &&
      "import type { SessionEvents, StreamOptions } from '../session-events.ts';",
    has('segment')
      ? "import { segment, type Transport } from '../transport.ts';"
      : "import type { Transport } from '../transport.ts';",
    has('models') && "import type * as models from './models.ts';",
  ];
  return `${HEAD}${imports.filter(Boolean).join('\n')}\n\n${body}`;
}

const model = (name: string): string => `models.${name}`;

const paramsName = ({ resource, name }: Operation): string =>
  `${pascalCase(resource)}${pascalCase(name)}Params`;

const paramsType = (operation: Operation): string =>
  `export type ${paramsName(operation)} = {\n${operation.query.map(paramLine).join('')}};\n`;

const paramLine = ({ name, schema, required, description }: Parameter): string =>
  `${comment(description ?? schema.description)}${name}${required ? '' : '?'}: ${typeOf(schema, model)};\n`;

function method(operation: Operation): string {
  const { name, about, verb, path, ids, query, body, takesKey } = operation;
  const needsQuery = query.some(({ required }) => required);
  const parameters = [
    ...ids.map((id) => `${pascalId(id)}: string`),
    ...(body
      ? [
          `body${body.isRequired ? '' : '?'}: ${body.type === 'bytes' ? 'BodyInit' : typeOf(body.schema, model)}`,
        ]
      : []),
    ...(query.length > 0 ? [`query: ${paramsName(operation)}${needsQuery ? '' : ' = {}'}`] : []),
    `options: ${operation.result.kind === 'events' ? 'StreamOptions' : 'RequestOptions'} = {}`,
  ];
  const url = path.replace(/\{(\w+)\}/g, (_, id: string) => `\${segment(${pascalId(id)})}`);
  const spec = [
    `method: '${verb.toUpperCase()}'`,
    `path: ${url === path ? `'${path}'` : `\`${url}\``}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(body ? ['body'] : []),
    ...(body && body.type !== 'json' ? [`bodyType: '${body.type}'`] : []),
    ...(takesKey ? ['takesKey: true'] : []),
  ];
  const [call, type] = callOf(operation);
  return `  ${comment(about)}  ${name}(${parameters.join(', ')}): ${type} {
    return this.#transport.${call}({ ${spec.join(', ')} }, options);
  }
`;
}

const pascalId = (id: string): string =>
  id.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The method of the transport, and its type. */
function callOf({ result }: Operation): [string, string] {
  switch (result.kind) {
    case 'json':
      return ['json', `Promise<${typeOf(result.schema, model)}>`];
    case 'pages':
      return ['pages', `Pages<${typeOf(result.schema, model)}>`];
    case 'nothing':
      return ['nothing', 'Promise<void>'];
    case 'events':
      return ['events', 'SessionEvents'];
    case 'raw':
      return ['raw', 'Promise<Response>'];
  }
}
