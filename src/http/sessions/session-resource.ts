import type { Resource } from '../resource/resource.ts';
import { liveEventRoutes } from './live-event-routes.ts';
import { sessionEventRoutes } from './session-event-routes.ts';
import { pictureRoutes } from './picture-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { sessionSchemas } from './session-schemas.ts';
import { stillRoutes } from './still-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { TimelineBody } from './timeline-schemas.ts';

export const sessions: Resource = {
  schemas: [...sessionSchemas, TimelineBody],
  routes: [
    sessionRoutes,
    sessionEventRoutes,
    liveEventRoutes,
    timelineRoutes,
    pictureRoutes,
    stillRoutes,
  ],
};
