import type { FastifyInstance } from 'fastify';

/** Where Fastify reads the name of a plugin. */
const NAME = Symbol.for('fastify.display-name');

/**
 * Names each plugin after its function. Fastify would look for an unnamed one among all loaded
 * CommonJS modules, which takes a third of the start where 600 are loaded, as in tests. Call before
 * any plugin is registered.
 */
export function namePlugins(app: FastifyInstance): void {
  const { register } = app;
  app.register = function (
    this: FastifyInstance,
    plugin: { name?: string },
    ...options: unknown[]
  ) {
    if (!(NAME in plugin)) Object.assign(plugin, { [NAME]: plugin.name || 'routes' });
    return Reflect.apply(register, this, [plugin, ...options]);
  } as FastifyInstance['register'];
}
