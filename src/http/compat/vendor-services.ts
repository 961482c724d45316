import type { Services } from '../services.ts';
import { VendorAvatars } from './avatars.ts';
import { VendorUpgrades } from './connections/upgrades.ts';
import { VendorPictures } from './pictures.ts';
import { vendorTokens } from './tokens.ts';

export type VendorServices = ReturnType<typeof createVendorServices>;

/** `connectionPaths`: paths at which published clients connect by a websocket. */
export const createVendorServices = (services: Services, connectionPaths: string[]) => ({
  ...services,
  vendorTokens: vendorTokens(services.records.signingSecret, services.clock),
  vendorAvatars: new VendorAvatars(services.avatars, services.settings.vendorAvatars),
  vendorPictures: new VendorPictures(services),
  handshakes: new VendorUpgrades(connectionPaths),
});
