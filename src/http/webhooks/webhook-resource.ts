import type { Resource } from '../resource/resource.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { eventSchemas } from './event-schemas.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { webhookSchemas } from './webhook-schemas.ts';

export const webhooks: Resource = {
  schemas: [...eventSchemas, ...webhookSchemas],
  routes: [webhookRoutes, deliveryRoutes],
};
