import type { Resource } from '../resource/resource.ts';
import { originsOfAgents } from '../auth/origins.ts';
import { pageRoutes } from './page-routes.ts';

export const pages: Resource = {
  routes: [
    (services) =>
      pageRoutes({
        mediaServerUrl: services.settings.mediaServerUrl,
        originsOf: originsOfAgents(services),
      }),
  ],
  worksOnFullDisk: true,
};
