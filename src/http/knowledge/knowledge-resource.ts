import type { Resource } from '../resource/resource.ts';
import { knowledgeFileRoutes } from './knowledge-file-routes.ts';
import { knowledgeFileSchemas } from './knowledge-file-schemas.ts';

export const knowledge: Resource = {
  schemas: [...knowledgeFileSchemas],
  routes: [knowledgeFileRoutes],
};
