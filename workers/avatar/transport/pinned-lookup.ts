import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Connects to addresses that were checked, whatever the name points to by now. Node skips the
 * lookup for literal addresses, which were checked as they are.
 */
export const pinnedTo =
  (addresses: LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
