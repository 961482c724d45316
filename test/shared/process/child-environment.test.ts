import { describe, expect, test } from 'vitest';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { CONTROL_SETTINGS } from '../../../src/config.ts';
import { AGENT_WORKER_SETTINGS } from '../../../workers/agent/config.ts';
import { AVATAR_WORKER_SETTINGS } from '../../../workers/avatar/config.ts';

const system = { PATH: '/bin', HOME: '/home/ada', LC_ALL: 'C', https_proxy: 'http://proxy:3128' };
const secrets = {
  AWS_SECRET_ACCESS_KEY: 'of another program',
  DATABASE_URL: 'postgres://user:password@host/database',
  LIVEKIT_API_SECRET: 'of the media server',
  OPENAI_API_KEY: 'of the models',
  REDIS_URL: 'redis://:password@host',
  TROUPE_ADMIN_PASSWORD: 'of the operator',
  TROUPE_API_KEY: 'of the first account',
  TROUPE_SECRET_KEY: 'of the records',
  A_SECRET_OF_TOMORROW: 'that nobody has listed',
};
const worker = {
  WORKER_TOKEN: 'of the workers',
  CONTROL_URL: 'http://127.0.0.1',
  LOG_LEVEL: 'info',
};
const env = { ...system, ...secrets, ...worker };

describe('the environment of a child process', () => {
  test('has what programs need of the system, and nothing else', () => {
    expect(childEnvironment(env)).toEqual(system);
  });

  test.each([
    ['an avatar worker', AVATAR_WORKER_SETTINGS],
    ['an agent worker', AGENT_WORKER_SETTINGS],
  ])('of %s has its settings and no secret of others', (_which, settings) => {
    expect(childEnvironment(env, settings)).toEqual({ ...system, ...worker });
  });

  test('of a control plane has its settings and those of its database client', () => {
    const { AWS_SECRET_ACCESS_KEY: _, A_SECRET_OF_TOMORROW: __, ...ownSecrets } = secrets;
    const tls = { PGSSLROOTCERT: '/etc/ca.pem' };

    expect(childEnvironment({ ...env, ...tls }, CONTROL_SETTINGS)).toEqual({
      ...system,
      ...ownSecrets,
      WORKER_TOKEN: worker.WORKER_TOKEN,
      LOG_LEVEL: worker.LOG_LEVEL,
      ...tls,
    });
  });
});
