import Type, { type Static } from 'typebox';
import { COMMON_SETTINGS, readConfig, type Environment } from '#shared/config.ts';

const Config = Type.Object({
  LOG_LEVEL: COMMON_SETTINGS.LOG_LEVEL,
  /** The control plane's address. */
  CONTROL_URL: Type.String({ pattern: '^https?://' }),
  /** An API key with the scope `operator`. */
  OPERATOR_KEY: Type.String({ minLength: 16 }),
  /** Label selector of the workers' pods. */
  POD_SELECTOR: Type.String({ minLength: 1 }),
  KUBERNETES_URL: Type.String({ pattern: '^https?://', default: 'https://kubernetes.default.svc' }),
  /** Folder with `token` and `namespace` of the pod's service account. */
  SERVICE_ACCOUNT_DIR: Type.String({ default: '/var/run/secrets/kubernetes.io/serviceaccount' }),
});
export type DeletionCostConfig = Readonly<Static<typeof Config>>;

export const loadDeletionCostConfig = (env: Environment): DeletionCostConfig =>
  readConfig(Config, env);
