import type { FastifyInstance } from 'fastify';

export type Route = { method: string; path: string };

/** Every route that the server itself has registered. */
export function routesOf(server: FastifyInstance): Route[] {
  const parents: string[] = [];
  return server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      if (part === '') return [];
      const depth = indent.length / 4;
      const path = `${parents.slice(0, depth).join('')}${part}`;
      parents.splice(depth, parents.length, part);
      return methods.split(', ').map((method) => ({ method, path }));
    });
}
