import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildSerializers = ReturnType<typeof SerializerSelector>;

/**
 * Each route's answers are compiled when the first of them is written: most routes have ten, of which few are ever given, and compiling
 * all of them is four fifths of the time that a server takes to be ready.
 */
export function lazySerializers(): BuildSerializers {
  const build = SerializerSelector();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    return (answer) => {
      let serialize: ReturnType<typeof compile> | undefined;
      return (data) => {
        serialize ??= compile(answer);
        return serialize(data);
      };
    };
  };
}
