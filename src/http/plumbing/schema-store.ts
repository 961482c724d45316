import type { FastifyServerOptions } from 'fastify';

type Bucket = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['bucket']>;

/**
 * One store for all scopes of a server. Fastify's own copies all schemas into each scope, which
 * takes some 5 % of the start-up time.
 */
export function oneSchemaStore(): Bucket {
  const schemas: Record<string, unknown> = {};
  const store = {
    add(schema: { $id: string }) {
      if (Object.hasOwn(schemas, schema.$id))
        throw new Error(`two schemas are named ${schema.$id}`);
      schemas[schema.$id] = schema;
    },
    getSchema: (id: string) => schemas[id],
    getSchemas: () => schemas,
  };
  // Fastify's type says that `add` returns a server, though Fastify ignores what it returns.
  return () => store as unknown as ReturnType<Bucket>;
}
