import Type, { type Static } from 'typebox';
import type { Avatar } from '../../records/avatars.ts';
import { named, pageOf } from './common.ts';

export const AvatarBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    picture: Type.String({ format: 'uri', description: 'A still picture; needs no key.' }),
  },
  { $id: 'Avatar' },
);

export const AvatarPage = pageOf(named(AvatarBody), 'AvatarPage');

export const toAvatarBody = (avatar: Avatar, baseUrl: string): Static<typeof AvatarBody> => ({
  id: avatar.id,
  name: avatar.name,
  picture: `${baseUrl}/avatars/${avatar.id}/picture`,
});
