import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildSerializers = ReturnType<typeof SerializerSelector>;

/** Compiles each serializer on first use. Compiling all of them takes 80% of the start-up time. */
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
