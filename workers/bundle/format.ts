import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LIP_SHAPES } from './visemes.ts';
import { EXPRESSIONS } from './expressions.ts';

/*
 * Avatar bundle format: one face in one file, written by build.ts and read by open-bundle.ts.
 *
 *   8 bytes   "TROUPEAV"
 *   u32       version; u32 length of the manifest in bytes (both little-endian)
 *   manifest  JSON, described below
 *   parts     concatenated in the manifest's order, each compressed separately with brotli
 *
 * Parts before compression:
 *   background   Y, U, V of the picture behind the face (I420), opaque
 *   base         the face at rest: Y, A of the whole picture, then U, V at half size; 8 bits.
 *                Colour is multiplied by alpha; U and V are stored around 128
 *   depth        distance from the camera at the grid nodes, 16 bits from `near` to `far`
 *   weight       share of the head's motion that a node follows, 8 bits: 0 for the body
 *   mouth/NAME,  differences to the base's planes: Y, A (only if `alpha` in the manifest), U, V of
 *   eyes/NAME    the sprite's rectangle, 16 bits, all low bytes first, then all high bytes. They
 *                fade to 0 before the rectangle's border
 *
 * Colour is BT.601 limited range. Grid nodes are `GRID_STEP` pixels apart, including all four
 * edges.
 */
const MAGIC = 'TROUPEAV';
const FORMAT_VERSION = 3;
/** Without `head` and `background`: a square picture with the head where `olderPlaces` says. */
const OLDER_VERSION = 2;
export const GRID_STEP = 8;
export const HEADER_BYTES = 16;

/** Alignment of rectangles, so that rows of chroma are multiples of 8. */
export const ACROSS_STEP = 16;
export const DOWN_STEP = 2;

const MAX_SIDE = 2048;
const MAX_SPRITES = 200;
/** Limit for all parts together, uncompressed. Sprites are unpacked one at a time. */
const MAX_BYTES = 200_000_000;

const FARTHEST = 10_000;
const Coordinate = Type.Number({ minimum: -FARTHEST, maximum: FARTHEST });
const Distance = Type.Number({ minimum: 0.001, maximum: FARTHEST });

const Rectangle = Type.Object({
  x: Type.Integer({ minimum: 0, multipleOf: ACROSS_STEP }),
  y: Type.Integer({ minimum: 0, multipleOf: DOWN_STEP }),
  /** Both are 0 for a sprite equal to the base. */
  width: Type.Integer({ minimum: 0, maximum: MAX_SIDE, multipleOf: ACROSS_STEP }),
  height: Type.Integer({ minimum: 0, maximum: MAX_SIDE, multipleOf: DOWN_STEP }),
});
export type Rectangle = Static<typeof Rectangle>;

const Sprite = {
  name: Type.String({ minLength: 1, maxLength: 60 }),
  area: Rectangle,
  alpha: Type.Boolean(),
  expression: Type.Enum([...EXPRESSIONS]),
};

export const MouthSprite = Type.Object({
  ...Sprite,
  lips: Type.Enum([...LIP_SHAPES]),
  /** How fully the lips have their shape. */
  strength: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  /** Opening of the jaw, 0..1. */
  opening: Type.Number({ minimum: 0, maximum: 1 }),
});
export type MouthSprite = Static<typeof MouthSprite>;

export const EyesSprite = Type.Object({
  ...Sprite,
  /** 0 open .. 1 closed. */
  lids: Type.Number({ minimum: 0, maximum: 1 }),
  /** -1 to the picture's left .. 1 to its right. */
  gaze: Type.Number({ minimum: -1, maximum: 1 }),
  /** 0 at rest .. 1 raised. */
  brows: Type.Number({ minimum: -1, maximum: 1 }),
});
export type EyesSprite = Static<typeof EyesSprite>;

export const Manifest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  width: Type.Integer({ minimum: 64, maximum: MAX_SIDE, multipleOf: ACROSS_STEP }),
  height: Type.Integer({ minimum: 64, maximum: MAX_SIDE, multipleOf: ACROSS_STEP }),
  /** Centre and height of the head with its hair, in pixels. */
  head: Type.Object({
    x: Coordinate,
    y: Coordinate,
    height: Type.Number({ minimum: 16, maximum: MAX_SIDE }),
  }),
  /**
   * The picture behind the face: its size in its own pixels, each of which spans `scale` pixels of
   * the face, and the place of its upper left corner there.
   */
  background: Type.Object({
    width: Type.Integer({ minimum: 64, maximum: MAX_SIDE, multipleOf: 2 }),
    height: Type.Integer({ minimum: 64, maximum: MAX_SIDE, multipleOf: 2 }),
    x: Coordinate,
    y: Coordinate,
    scale: Type.Number({ minimum: 0.1, maximum: 20 }),
  }),
  /**
   * A pinhole camera at (0, 0, `distance`) that looks along -z. Focal length and centre in pixels,
   * picture y down.
   */
  camera: Type.Object({
    focal: Type.Number({ minimum: 1, maximum: FARTHEST }),
    centreX: Coordinate,
    centreY: Coordinate,
    distance: Distance,
  }),
  /** Pivot of the neck: x right, y up, z to the camera. */
  pivot: Type.Tuple([Coordinate, Coordinate, Coordinate]),
  depth: Type.Object({
    near: Distance,
    far: Distance,
  }),
  mouths: Type.Array(MouthSprite, { minItems: 1, maxItems: MAX_SPRITES }),
  eyes: Type.Array(EyesSprite, { minItems: 1, maxItems: MAX_SPRITES }),
  parts: Type.Array(
    Type.Object({
      name: Type.String(),
      /** Compressed. */
      bytes: Type.Integer({ minimum: 0 }),
      /** CRC of the uncompressed bytes: detects damage, not tampering. */
      crc32: Type.Integer({ minimum: 0 }),
    }),
    { maxItems: 2 * MAX_SPRITES + 4 },
  ),
});
export type Manifest = Static<typeof Manifest>;

const manifestCheck = Compile(Manifest);

/** The bundle cannot be used. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/** Background, base, depth, weight. */
const FIXED_PARTS = 4;

/** All parts that the manifest requires, in order, with their uncompressed lengths. */
export function partLengths(manifest: Omit<Manifest, 'parts'>): Map<string, number> {
  const { background } = manifest;
  const pixels = manifest.width * manifest.height;
  const nodes = (manifest.width / GRID_STEP + 1) * (manifest.height / GRID_STEP + 1);
  return new Map([
    ['background', background.width * background.height * 1.5],
    ['base', pixels * 2.5],
    ['depth', nodes * 2],
    ['weight', nodes],
    ...manifest.mouths.map((mouth) => [mouthPart(mouth), 2 * spriteSamples(mouth)] as const),
    ...manifest.eyes.map((eyes) => [eyesPart(eyes), 2 * spriteSamples(eyes)] as const),
  ]);
}

export const mouthPart = (mouth: { name: string }) => `mouth/${mouth.name}`;
export const eyesPart = (eyes: { name: string }) => `eyes/${eyes.name}`;

function spriteSamples({ area, alpha }: { area: Rectangle; alpha: boolean }): number {
  return area.width * area.height * (alpha ? 2.5 : 1.5);
}

export function encodeHeader(manifest: Manifest): Buffer {
  const json = Buffer.from(JSON.stringify(manifest));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(FORMAT_VERSION, 8);
  header.writeUInt32LE(json.length, 12);
  return Buffer.concat([header, json]);
}

/**
 * Returns the manifest and the offset of the parts. Throws BundleError unless the file is a
 * complete bundle of this version.
 */
export function decodeHeader(file: Buffer): { manifest: Manifest; partsAt: number } {
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, 8) !== MAGIC) {
    throw new BundleError('not an avatar bundle');
  }
  const version = file.readUInt32LE(8);
  if (version !== FORMAT_VERSION && version !== OLDER_VERSION) {
    throw new BundleError(
      `avatar bundle of version ${version}; version ${FORMAT_VERSION} is required`,
    );
  }
  const partsAt = HEADER_BYTES + file.readUInt32LE(12);
  if (partsAt > file.length) throw new BundleError('truncated avatar bundle');

  const json = parseJson(file.toString('utf8', HEADER_BYTES, partsAt));
  const manifest = version === OLDER_VERSION ? { ...olderPlaces(json), ...asObject(json) } : json;
  if (!manifestCheck.Check(manifest)) {
    const [firstError] = manifestCheck.Errors(manifest);
    throw new BundleError(
      `invalid manifest at ${firstError?.instancePath || '/'}: ${firstError?.message}`,
    );
  }
  checkConsistency(manifest, file.length - partsAt);
  return { manifest, partsAt };
}

/** Places in the pictures of the older version, by their size. */
function olderPlaces(json: unknown): Partial<Manifest> {
  const { width, height } = asObject(json);
  if (typeof width !== 'number' || typeof height !== 'number') return {};
  return {
    head: { x: width / 2, y: 0.465 * height, height: 0.69 * height },
    background: { width, height, x: 0, y: 0, scale: 1 },
  };
}

const asObject = (json: unknown): Record<string, unknown> =>
  typeof json === 'object' && json !== null ? { ...json } : {};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BundleError('the manifest is not JSON', { cause });
  }
}

/** Constraints that the schema cannot express. */
function checkConsistency(manifest: Manifest, partBytes: number) {
  for (const { name, area } of [...manifest.mouths, ...manifest.eyes]) {
    if (area.x + area.width > manifest.width || area.y + area.height > manifest.height) {
      throw new BundleError(`${name} is outside the picture`);
    }
  }
  for (const [kind, sprites] of [
    ['mouth', manifest.mouths],
    ['eyes', manifest.eyes],
  ] as const) {
    if (!sprites.some(({ expression }) => expression === 'neutral'))
      throw new BundleError(`no neutral ${kind}`);
  }
  if (manifest.depth.far <= manifest.depth.near) throw new BundleError('depth range is empty');

  const lengths = partLengths(manifest);
  if (lengths.size !== FIXED_PARTS + manifest.mouths.length + manifest.eyes.length) {
    throw new BundleError('duplicate name of a mouth or eye state');
  }
  if ([...lengths.values()].reduce((sum, length) => sum + length, 0) > MAX_BYTES) {
    throw new BundleError('the bundle is too large when decompressed');
  }

  const expected = [...lengths.keys()];
  const partNames = manifest.parts.map((part) => part.name);
  if (expected.length !== partNames.length || expected.some((name, i) => name !== partNames[i])) {
    throw new BundleError('the parts do not match the manifest');
  }
  if (manifest.parts.reduce((sum, part) => sum + part.bytes, 0) !== partBytes) {
    throw new BundleError('truncated avatar bundle');
  }
}
