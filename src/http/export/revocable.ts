import type { Readable } from 'node:stream';
import { endWhenRefused, type StillPermitted } from '../auth/still-permitted.ts';

/** Ends an export whose key was revoked, limited or expired. */
class NoLongerPermitted extends Error {
  override readonly name = 'NoLongerPermitted';
}

const ended = (): Error => new NoLongerPermitted('the key may no longer export');

/** Passes items on while the caller may have them. */
export async function* whilePermitted<Item>(
  items: AsyncIterable<Item>,
  isPermitted: StillPermitted,
): AsyncGenerator<Item> {
  for await (const item of items) {
    if (!(await isPermitted())) throw ended();
    yield item;
  }
}

/** Also ends an export whose client does not read. */
export function breakOffWhenRevoked(
  stream: Readable,
  services: Parameters<typeof endWhenRefused>[0],
  isPermitted: StillPermitted,
): void {
  stream.once(
    'close',
    endWhenRefused(services, isPermitted, () => stream.destroy(ended())),
  );
}
