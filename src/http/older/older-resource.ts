import type { Resource } from '../resource/resource.ts';
import { olderAgentRoutes } from './older-agents.ts';
import { olderExternalApiRoutes } from './older-external-apis.ts';
import { olderNameRoutes } from './older-names.ts';

/** Deprecated forms of other resources. */
export const olderForms: Resource = {
  routes: [olderNameRoutes, olderAgentRoutes, olderExternalApiRoutes],
};
