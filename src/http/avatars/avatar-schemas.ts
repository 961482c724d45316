import Type, { type Static } from 'typebox';
import { PICTURE_PROBLEMS } from '#protocol/pictures/picture-problems.ts';
import { adviceOf, isOwn, type AnyAvatar } from '../../avatars/avatars.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, pageOf, Text, Time } from '../resource/schema-parts.ts';

const BackgroundRequest = Type.Union(
  [
    Type.String({ pattern: '^(blur|#[0-9a-fA-F]{6})$' }),
    Type.Unsafe<unknown>({
      not: { type: 'string' },
      contentMediaType: 'application/octet-stream',
      description: 'A file: JPEG, PNG, WebP, HEIC, AVIF, GIF or TIFF, at most 16 MiB.',
    }),
  ],
  {
    default: 'blur',
    description:
      'Background behind the person: `blur`, a colour as `#rrggbb`, or a picture, cropped to its centre.',
  },
);

/** As multipart/form-data. */
export const AvatarRequest = closed(
  Type.Object(
    {
      name: Text(1, 100),
      picture: Type.Unsafe<unknown>({
        contentMediaType: 'application/octet-stream',
        description:
          'A file: JPEG, PNG, WebP, HEIC, AVIF, GIF or TIFF, at most 16 MiB. One face, seen from the front, in good light.',
      }),
      consent: {
        ...Text(1, 1_000),
        description:
          'Statement, in your own words, that the person in the picture consents. Stored with the avatar, the time and the API key.',
      },
      background: Type.Optional(BackgroundRequest),
    },
    { $id: 'AvatarRequest' },
  ),
);

export const AvatarBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.Enum(['building', 'ready', 'failed'], {
      type: 'string',
      description: 'Sessions, agents and calls can use the avatar once it is `ready`.',
    }),
    picture: Type.String({
      format: 'uri',
      description:
        'Address of a still picture; needs no key. Your own avatars have it once they are ready.',
    }),
    voice: Type.Union([Type.String(), Type.Null()], {
      description:
        'Built-in voice that fits the face: the voice of its agents unless they have another. Null: the first of the list of voices.',
    }),
    progress: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Build progress in percent.' }),
    ),
    reason: Type.Optional(
      Type.Enum(Object.keys(PICTURE_PROBLEMS), {
        type: 'string',
        description: 'Why the build failed.',
      }),
    ),
    advice: Type.Optional(Type.String({ description: 'How to fix the reason.' })),
    background: Type.Optional(
      Type.String({
        pattern: '^(blur|picture|#[0-9a-f]{6})$',
        description: 'Background behind the person. `picture`: the uploaded background picture.',
      }),
    ),
    consent: Type.Optional(Type.String({ description: 'The consent statement of the request.' })),
    created_at: Type.Optional(Time),
  },
  { $id: 'Avatar', description: 'Your own avatars also have `progress` and the fields after it.' },
);
export type AvatarBody = Static<typeof AvatarBody>;

export const AvatarPage = pageOf(named(AvatarBody), 'AvatarPage');

/** Answer of the deprecated paths. */
export const OlderAvatar = Type.Pick(AvatarBody, ['id', 'name', 'picture']);

export const toOlderAvatar = (
  { id, name }: AnyAvatar,
  baseUrl: string,
): Static<typeof OlderAvatar> => ({ id, name, picture: `${baseUrl}/avatars/${id}/picture` });

export function toAvatarBody(avatar: AnyAvatar, baseUrl: string): AvatarBody {
  const older = toOlderAvatar(avatar, baseUrl);
  if (!isOwn(avatar)) return { ...older, status: 'ready', voice: avatar.voice };
  return {
    ...older,
    voice: null,
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
