import type { Readable } from 'node:stream';
import type { ApiKeys } from '../../accounts/keys.ts';
import type { StillPermitted } from '../auth/still-permitted.ts';

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

/** Also ends an export whose client does not read. While the records are away it goes on. */
export function breakOffWhenRevoked(
  stream: Readable,
  keys: Pick<ApiKeys, 'onChanged'>,
  isPermitted: StillPermitted,
): void {
  const check = async () => {
    if (!(await isPermitted().catch(() => true))) stream.destroy(ended());
  };
  stream.once(
    'close',
    keys.onChanged(() => void check()),
  );
}
