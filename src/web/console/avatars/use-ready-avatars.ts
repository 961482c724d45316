import { useMay } from '../service/me.ts';
import { useAll } from '../service/queries.ts';
import type { Avatar } from '../../../clients/typescript/src/generated/models.ts';

/** Avatars that may be chosen. Empty until they are read. */
export function useReadyAvatars(): Avatar[] {
  const avatars = useAll<Avatar>(useMay('avatars:read') ? '/v1/avatars' : null);
  return avatars.data?.data.filter(({ status }) => status === 'ready') ?? [];
}

/** While none is read. */
export const ANY_AVATAR = { id: 'nora', name: 'Nora' };
