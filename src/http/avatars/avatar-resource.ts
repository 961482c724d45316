import type { Resource } from '../resource/resource.ts';
import { avatarRoutes } from './avatar-routes.ts';
import { avatarSchemas } from './avatar-schemas.ts';
import { pictureRoutes } from './picture-routes.ts';
import { SheetBody } from './sheet-schemas.ts';

export const avatars: Resource = {
  schemas: [...avatarSchemas, SheetBody],
  routes: [avatarRoutes],
};

export const avatarPictures: Resource = { routes: [pictureRoutes], worksOnFullDisk: true };
