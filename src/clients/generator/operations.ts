/* The operations of the document as clients offer them, by resource. */
import {
  resolve,
  variantsOf,
  type DocumentedOperation,
  type OpenApi,
  type Parameter,
  type Schema,
} from './document.ts';
import { placeOf } from './names.ts';

export type Result =
  | { kind: 'json' | 'pages'; schema: Schema }
  | { kind: 'nothing' | 'events' | 'raw' };

export type Body = {
  type: 'json' | 'form' | 'bytes';
  schema: Schema;
  isRequired: boolean;
};

export type Operation = {
  resource: string;
  /** In camelCase. */
  name: string;
  verb: string;
  path: string;
  about: string;
  ids: string[];
  query: Parameter[];
  body: Body | null;
  /** Whether it takes an Idempotency-Key. */
  takesKey: boolean;
  result: Result;
};

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => {
      const place = placeOf(verb, path);
      if (!place) return [];
      const parameters = operation.parameters ?? [];
      return {
        resource: place.resource,
        name: place.method,
        verb,
        path,
        about: [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
        ids: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
        // The clients page by themselves.
        query: parameters.filter((each) => each.in === 'query' && each.name !== 'cursor'),
        body: bodyOf(operation),
        takesKey: parameters.some(({ name }) => name === 'idempotency-key'),
        result: resultOf(document, operation),
      };
    }),
  );
}

function bodyOf({ requestBody }: DocumentedOperation): Body | null {
  if (!requestBody) return null;
  const [mediaType, { schema = {} }] = Object.entries(requestBody.content)[0]!;
  const isRequired = requestBody.required ?? false;
  if (mediaType === 'multipart/form-data') return { type: 'form', schema, isRequired };
  if (mediaType !== 'application/json') return { type: 'bytes', schema, isRequired };
  return { type: 'json', schema, isRequired };
}

function resultOf(document: OpenApi, { responses }: DocumentedOperation): Result {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const content = success?.content;
  if (!content) return { kind: 'nothing' };
  if (content['text/event-stream']) return { kind: 'events' };
  const schema = content['application/json']?.schema;
  if (!schema) return { kind: 'raw' };
  if (schema.type === 'null') return { kind: 'nothing' };
  const item = itemOfPage(resolve(document, schema));
  return item ? { kind: 'pages', schema: item } : { kind: 'json', schema };
}

/** Pages have a variant with more results. */
function itemOfPage(schema: Schema): Schema | undefined {
  const page = variantsOf(schema).find(({ properties }) => properties?.['next_cursor']);
  return page?.properties?.['data']?.items;
}
