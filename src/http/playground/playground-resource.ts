import type { Resource } from '../resource/resource.ts';
import { playgroundRoutes } from './playground-routes.ts';

export const playground: Resource = { routes: [playgroundRoutes], worksOnFullDisk: true };
