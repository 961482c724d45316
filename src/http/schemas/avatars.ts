import Type, { type Static } from 'typebox';
import { PICTURE_PROBLEMS } from '#protocol/picture-problems.ts';
import { adviceOf, isOwn, type AnyAvatar } from '../../avatars/avatars.ts';
import { isoTime, named, pageOf, Text, Time } from './common.ts';

const BackgroundRequest = Type.Union(
  [
    Type.String({ pattern: '^(blur|#[0-9a-fA-F]{6})$' }),
    Type.Unsafe<unknown>({
      not: { type: 'string' },
      contentMediaType: 'application/octet-stream',
      description: 'A file: JPEG, PNG or WebP, at most 16 MiB.',
    }),
  ],
  {
    default: 'blur',
    description:
      'What is seen behind the person: `blur`, a colour as `#rrggbb`, or a picture, whose middle is shown.',
  },
);

/** As multipart/form-data. */
export const AvatarRequest = Type.Object(
  {
    name: Text(1, 100),
    picture: Type.Unsafe<unknown>({
      contentMediaType: 'application/octet-stream',
      description:
        'A file: JPEG, PNG or WebP, at most 16 MiB. One face, from the front, in good light.',
    }),
    consent: {
      ...Text(1, 1_000),
      description:
        'That the person in the picture agrees, in your own words: kept with the avatar, the time and the key.',
    },
    background: Type.Optional(BackgroundRequest),
  },
  { $id: 'AvatarRequest' },
);

export const AvatarBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.Enum(['building', 'ready', 'failed'], {
      type: 'string',
      description: 'Sessions, agents and calls may use it once it is `ready`.',
    }),
    picture: Type.String({
      format: 'uri',
      description:
        'A still picture; needs no key. Of an avatar of your own it is there once that is ready.',
    }),
    progress: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'In percent, of your own avatars.' }),
    ),
    reason: Type.Optional(
      Type.Enum(Object.keys(PICTURE_PROBLEMS), { type: 'string', description: 'When failed.' }),
    ),
    advice: Type.Optional(Type.String({ description: 'What to do about the reason.' })),
    background: Type.Optional(
      Type.String({
        pattern: '^(blur|picture|#[0-9a-f]{6})$',
        description: 'What is seen behind the person; `picture`: one that came with theirs.',
      }),
    ),
    consent: Type.Optional(Type.String({ description: 'As it was given.' })),
    created_at: Type.Optional(Time),
  },
  { $id: 'Avatar', description: 'What stands behind `progress` is said of your own avatars only.' },
);
export type AvatarBody = Static<typeof AvatarBody>;

export const AvatarPage = pageOf(named(AvatarBody), 'AvatarPage');

/** As the deprecated paths answer. */
export const OlderAvatar = Type.Pick(AvatarBody, ['id', 'name', 'picture']);

export const toOlderAvatar = (
  { id, name }: AnyAvatar,
  baseUrl: string,
): Static<typeof OlderAvatar> => ({ id, name, picture: `${baseUrl}/avatars/${id}/picture` });

export function toAvatarBody(avatar: AnyAvatar, baseUrl: string): AvatarBody {
  const older = toOlderAvatar(avatar, baseUrl);
  if (!isOwn(avatar)) return { ...older, status: 'ready' };
  return {
    ...older,
    status: avatar.status,
    progress: avatar.progress,
    ...(avatar.status === 'failed' && {
      reason: avatar.reason ?? 'build_failed',
      advice: adviceOf(avatar),
    }),
    background: avatar.backgroundHash === null ? avatar.background : 'picture',
    consent: avatar.consent.statement,
    created_at: isoTime(avatar.createdAt),
  };
}

export const avatarSchemas = [AvatarRequest, AvatarBody, AvatarPage];
