import type { Resource } from '../resource/resource.ts';
import { pageTokenRoutes } from './page-token-routes.ts';

export const pageTokens: Resource = { routes: [pageTokenRoutes], worksOnFullDisk: true };
