import type { Resource } from '../resource/resource.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { DeletionReceipt } from './erasure-schemas.ts';

export const erasure: Resource = {
  schemas: [DeletionReceipt],
  routes: [erasureRoutes],
};
