import Type, { type Static } from 'typebox';
import {
  type Background,
  FRAME_LIMITS,
  type Framing,
  FramingPlace,
  FRAMINGS,
  SHIPPED_BACKGROUNDS,
  type VideoWish,
} from '#protocol/pictures/frames.ts';
import type { Video } from '#protocol/worker/gateway-messages.ts';
import { problem } from '../../errors.ts';
import { VIDEO_PRESETS } from '../../sessions/video.ts';

const { leastSide, mostSide, mostRatio, leastFps, mostFps } = FRAME_LIMITS;
const Side = Type.Integer({ minimum: leastSide, maximum: mostSide, multipleOf: 2 });

const GREEN = '#00b140';
const backgroundText = [
  '`own`: the room of the avatar',
  '`blur`: that room out of focus',
  '`transparent`: none; the video track is twice as wide and holds the opacity on its right, see `/docs/frames`',
  `\`green\`: ${GREEN}`,
  'a colour as `#rrggbb`',
  `or a picture: ${SHIPPED_BACKGROUNDS.map((name) => `\`${name}\``).join(', ')}`,
].join('; ');

const FramingRequest = Type.Unsafe<Framing>({
  anyOf: [
    { type: 'string', enum: FRAMINGS },
    {
      ...FramingPlace,
      description:
        'Centre of the head as shares of the frame’s width and height, and height of the head with its hair as a share of the frame’s height.',
    },
  ],
});

/** The fields that may change while a session runs. */
export const sceneFields = {
  framing: Type.Optional({
    ...FramingRequest,
    description:
      'Default: `close` in a frame that is about as wide as high, `bust` in others. Where the avatar’s picture ends, the head is shown larger or lower.',
  }),
  background: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: `Default: \`own\`. ${backgroundText}.`,
    }),
  ),
};

export const VideoRequest = Type.Object(
  {
    preset: Type.Optional(
      Type.Enum(Object.keys(VIDEO_PRESETS) as (keyof typeof VIDEO_PRESETS)[], {
        type: 'string',
        description: Object.entries(VIDEO_PRESETS)
          .map(([name, { width, height }]) => `\`${name}\`: ${width} x ${height}`)
          .join(', '),
      }),
    ),
    width: Type.Optional({ ...Side, description: 'Even; with `height`, instead of `preset`.' }),
    height: Type.Optional({ ...Side, description: 'Even; with `width`, instead of `preset`.' }),
    fps: Type.Optional(
      Type.Integer({ minimum: leastFps, maximum: mostFps, description: 'Default: 25.' }),
    ),
    ...sceneFields,
  },
  {
    $id: 'VideoRequest',
    description: 'The picture. Default: 512 x 512 at 25 frames per second. See `/docs/frames`.',
  },
);
export type VideoRequest = Static<typeof VideoRequest>;

export const VideoBody = Type.Object(
  {
    width: Type.Integer(),
    height: Type.Integer(),
    fps: Type.Integer(),
    framing: Type.Optional({
      ...FramingRequest,
      description: 'Absent: chosen by the shape of the frame.',
    }),
    background: Type.Optional(Type.String({ description: 'Absent: the room of the avatar.' })),
  },
  { $id: 'Video' },
);
export type VideoBody = Static<typeof VideoBody>;

/** Throws a Fault for sizes and backgrounds that the schema cannot refuse. */
export function readVideo(request: VideoRequest, path: string[]): VideoWish {
  const { fps, framing, background } = request;
  const size = readSize(request, path);
  return {
    ...(size && { size }),
    ...(fps !== undefined && { fps }),
    ...(framing !== undefined && { framing }),
    ...(background !== undefined && {
      background: readBackground(background, [...path, 'background']),
    }),
  };
}

function readSize({ preset, width, height }: VideoRequest, path: string[]): VideoWish['size'] {
  if (preset !== undefined) {
    if (width === undefined && height === undefined) return VIDEO_PRESETS[preset];
    const text = 'Either `preset`, or `width` and `height`.';
    throw problem('value_error', [...path, 'preset'], text, preset);
  }
  if (width === undefined && height === undefined) return undefined;
  if (width === undefined || height === undefined) {
    const missing = width === undefined ? 'width' : 'height';
    throw problem('missing', [...path, missing], 'Field required', null);
  }
  if (Math.max(width, height) > mostRatio * Math.min(width, height)) {
    const text = `The longer side may be at most ${mostRatio} times the shorter one.`;
    throw problem('value_error', [...path, 'width'], text, width);
  }
  return { width, height };
}

const shipped: ReadonlySet<string> = new Set(SHIPPED_BACKGROUNDS);

export function readBackground(text: string, path: string[]): Background {
  if (text === 'own' || text === 'blur' || text === 'transparent') return { kind: text };
  if (text === 'green') return { kind: 'colour', colour: GREEN };
  if (/^#[0-9a-f]{6}$/i.test(text)) return { kind: 'colour', colour: text.toLowerCase() };
  if (shipped.has(text)) return { kind: 'picture', picture: text };
  throw problem('value_error', path, `Unknown background. ${backgroundText}.`, text);
}

export function toVideoBody({ width, height, fps, framing, background }: Video): VideoBody {
  return {
    width,
    height,
    fps,
    ...(framing !== undefined && { framing }),
    ...(background !== undefined && { background: backgroundName(background) }),
  };
}

/** As a request names it. */
function backgroundName(background: Background): string {
  switch (background.kind) {
    case 'own':
    case 'blur':
    case 'transparent':
      return background.kind;
    case 'colour':
      return background.colour;
    case 'picture':
      return background.picture;
  }
}

/** A wish as a request would state it, without a preset. */
export const toVideoRequest = ({ size, fps, framing, background }: VideoWish): VideoRequest => ({
  ...size,
  ...(fps !== undefined && { fps }),
  ...(framing !== undefined && { framing }),
  ...(background !== undefined && { background: backgroundName(background) }),
});
