import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Connects to the addresses that were checked, even if the name has changed since. Node skips the
 * lookup for literal addresses, which were checked themselves.
 */
export const pinnedTo =
  (addresses: LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [firstAddress] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, firstAddress?.address ?? '', firstAddress?.family ?? 4);
  };
