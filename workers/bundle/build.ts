import { promisify } from 'node:util';
import { brotliCompress, constants, crc32 } from 'node:zlib';
import { type DifferencePlanes, differenceTo } from './differences.ts';
import { encodeHeader, eyesPart, GRID_STEP, type Manifest, mouthPart } from './format.ts';
import type { Area, FacePictures } from './pictures.ts';
import { halved, type Plane, type PremultipliedPicture, premultiplied } from './planes.ts';
import type { Pixels } from './png.ts';

/** Width in pixels over which a difference fades out at its region's border. */
const MOUTH_FEATHER = 24;
const EYES_FEATHER = 16;

const compress = promisify(brotliCompress);

/** `smallest` is for bundles that ship. `quick` takes 1/40 of the time for 10 % more bytes. */
type Effort = 'smallest' | 'quick';

/** Encodes a face's pictures as a bundle. */
export async function buildBundle(
  pictures: FacePictures,
  name: string,
  effort: Effort = 'smallest',
): Promise<Buffer> {
  const { description } = pictures;
  const base = premultiplied(pictures.base);
  const mouths = differences(base, pictures.mouths, description.mouth, MOUTH_FEATHER);
  const brows = new Set(
    description.eye_states
      .filter((state) => state.brows !== 0 && state.expression === 'neutral')
      .map(({ name }) => name),
  );
  const eyes = differences(base, pictures.eyes, description.eyes, EYES_FEATHER, (name) =>
    brows.has(name) ? description.lids_top : undefined,
  );

  const raw = new Map<string, Uint8Array>([
    ['background', i420(premultiplied(pictures.background))],
    ['base', basePlanes(base)],
    ['depth', depthNodes(pictures.depth)],
    ['weight', weightNodes(pictures.weight)],
  ]);
  const sprite = <T extends { name: string }>(
    state: T,
    difference: DifferencePlanes,
    part: string,
  ) => {
    raw.set(part, split(difference));
    return { ...state, area: difference.area, alpha: difference.a !== null };
  };
  const manifest: Manifest = {
    name,
    width: description.width,
    height: description.height,
    head: description.head,
    background: {
      width: pictures.background.width,
      height: pictures.background.height,
      ...description.background,
    },
    camera: {
      focal: description.camera.focal_px,
      centreX: description.camera.cx,
      centreY: description.camera.cy,
      distance: description.camera.distance,
    },
    pivot: description.pivot,
    depth: description.depth,
    mouths: description.mouths.map((m) => sprite(m, need(mouths, m.name), mouthPart(m))),
    eyes: description.eye_states.map((e) => sprite(e, need(eyes, e.name), eyesPart(e))),
    parts: [],
  };

  const packed: Buffer[] = [];
  for (const [part, bytes] of raw) {
    const small = bytes.length === 0 ? Buffer.alloc(0) : await compress(bytes, COMPRESSION[effort]);
    packed.push(small);
    manifest.parts.push({ name: part, bytes: small.length, crc32: crc32(bytes) });
  }
  return Buffer.concat([encodeHeader(manifest), ...packed]);
}

const compression = (quality: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  },
});
const COMPRESSION = {
  smallest: compression(constants.BROTLI_MAX_QUALITY),
  quick: compression(9),
};

function differences(
  base: PremultipliedPicture,
  crops: Map<string, Pixels>,
  at: Area,
  feather: number,
  lowestOf: (name: string) => number | undefined = () => undefined,
): Map<string, DifferencePlanes> {
  const [restPicture] = crops.values();
  if (!restPicture) throw new Error('the face has no mouths or no eyes');
  const restPixels = premultiplied(restPicture);
  return new Map(
    [...crops].map(([name, pixels]) => {
      if (pixels.width !== at.width || pixels.height !== at.height) {
        throw new Error(
          `${name} is ${pixels.width}x${pixels.height}, not ${at.width}x${at.height}`,
        );
      }
      return [
        name,
        differenceTo(base, restPixels, premultiplied(pixels), at, feather, lowestOf(name)),
      ];
    }),
  );
}

function need<T>(items: Map<string, T>, name: string): T {
  const item = items.get(name);
  if (item === undefined) throw new Error(`no picture of ${name}`);
  return item;
}

const bytes = (plane: Plane, scale: number, offset: number) =>
  Uint8Array.from(plane.values, (value) =>
    Math.min(255, Math.max(0, Math.round(value * scale + offset))),
  );

const i420 = ({ y, u, v }: PremultipliedPicture) =>
  Buffer.concat([bytes(y, 1, 0), bytes(halved(u), 1, 128), bytes(halved(v), 1, 128)]);

const basePlanes = ({ y, a, u, v }: PremultipliedPicture) =>
  Buffer.concat([
    bytes(y, 1, 0),
    bytes(a, 255, 0),
    bytes(halved(u), 1, 128),
    bytes(halved(v), 1, 128),
  ]);

/** Samples a picture at the grid nodes, which lie at the corner of four pixels. */
function nodes({ width, height, samples, channels }: Pixels): number[] {
  const at = (column: number, row: number) => {
    const x = Math.min(width - 1, Math.max(0, column));
    const y = Math.min(height - 1, Math.max(0, row));
    return samples[(y * width + x) * channels] ?? 0;
  };
  const values: number[] = [];
  for (let row = 0; row <= height; row += GRID_STEP) {
    for (let column = 0; column <= width; column += GRID_STEP) {
      values.push(
        (at(column, row) + at(column - 1, row) + at(column, row - 1) + at(column - 1, row - 1)) / 4,
      );
    }
  }
  return values;
}

function depthNodes(depth: Pixels): Uint8Array {
  if (!(depth.samples instanceof Uint16Array)) throw new Error('depth must have 16 bits');
  return new Uint8Array(Uint16Array.from(nodes(depth), Math.round).buffer);
}

const weightNodes = (weight: Pixels) => Uint8Array.from(nodes(weight), Math.round);

/** All low bytes, then all high bytes, which are nearly constant and compress well. */
function split({ y, a, u, v }: DifferencePlanes): Uint8Array {
  const samples = [y, a ?? new Int16Array(), u, v].flatMap((plane) => [...plane]);
  const planes = new Uint8Array(2 * samples.length);
  samples.forEach((sample, i) => {
    planes[i] = sample & 255;
    planes[samples.length + i] = (sample >> 8) & 255;
  });
  return planes;
}
