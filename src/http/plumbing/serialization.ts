import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { valueOf } from '#shared/value-of.ts';

type BuildSerializers = ReturnType<typeof SerializerSelector>;
type Serialize = ReturnType<ReturnType<BuildSerializers>>;

/**
 * Compiles each serializer on first use: compiling all of them takes 80% of the start-up time.
 * Servers with the same shared schemas use the same serializers.
 */
export function lazySerializers(): BuildSerializers {
  const build = SerializerSelector();
  const compiledBeside = new Map<string, Map<string, Serialize>>();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    let beside: Map<string, Serialize> | undefined;
    const compiled = () =>
      (beside ??= valueOf(
        compiledBeside,
        JSON.stringify(externalSchemas),
        () => new Map<string, Serialize>(),
      ));
    return (answer) => {
      let serialize: Serialize | undefined;
      return (data) => {
        serialize ??= valueOf(compiled(), JSON.stringify(answer.schema), () => compile(answer));
        return serialize(data);
      };
    };
  };
}
