import { newRecordId } from '#shared/ids.ts';
import type { NewAvatar } from '../../../src/records/avatars/avatars.ts';

/** Fields of a new avatar. */
export const newAvatar = (
  fields: Partial<NewAvatar> & Pick<NewAvatar, 'accountId' | 'pictureHash'>,
): NewAvatar => ({
  id: newRecordId(),
  name: 'Ada',
  background: 'blur',
  backgroundHash: null,
  consent: { statement: 'She agrees.', at: 0, keyId: null },
  isFromSession: false,
  createdAt: 0,
  ...fields,
});
