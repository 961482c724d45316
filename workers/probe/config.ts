import Type from 'typebox';
import { readConfig, type Environment } from '#shared/config.ts';

const ProbeConfig = Type.Object({
  /** Unless a file is named: arguments would show the key to every user of the machine. */
  TROUPE_API_KEY: Type.Optional(Type.String({ minLength: 1 })),
});

export const loadProbeConfig = (env: Environment) => readConfig(ProbeConfig, env);
