import { createCanvas, type SKRSContext2D } from 'canvas';
import { buildBundle } from '../../../workers/bundle/build.ts';
import { type Bundle, decodeBundle } from '../../../workers/bundle/open-bundle.ts';
import type { Area, FaceDescription, FacePictures } from '../../../workers/bundle/pictures.ts';
import type { Pixels } from '../../../workers/bundle/png.ts';
import type { LipShape } from '../../../workers/bundle/visemes.ts';

/** A face drawn by code in the form that the studio renders; small, so that it builds quickly. */
export const SIZE = 128;
const MOUTH_AREA: Area = { x: 26, y: 52, width: 76, height: 62 };
const EYES_AREA: Area = { x: 24, y: 18, width: 80, height: 52 };

type Look = { opening: number; width: number; lids: number; gaze: number; brows: number };
const REST: Look = { opening: 0, width: 1, lids: 0, gaze: 0, brows: 0 };

type DrawnMouth = FaceDescription['mouths'][number] & { width: number };
const mouth = (name: string, lips: LipShape, opening: number, width: number): DrawnMouth => ({
  name,
  lips,
  strength: name.startsWith('half') ? 0.5 : 1,
  opening,
  width,
  expression: name.startsWith('warm') ? 'warm' : 'neutral',
});

const MOUTHS: DrawnMouth[] = [
  mouth('rest', 'neutral', 0, 1),
  mouth('pressed', 'pressed', 0, 0.9),
  mouth('teeth_on_lip', 'teeth_on_lip', 0.05, 1),
  mouth('tongue', 'tongue', 0.3, 1),
  mouth('open_1', 'neutral', 0.5, 1),
  mouth('open_2', 'neutral', 1, 1),
  mouth('half_spread', 'spread', 0.2, 1.15),
  mouth('spread_1', 'spread', 0.2, 1.3),
  mouth('round_1', 'rounded', 0.3, 0.6),
  mouth('warm_rest', 'neutral', 0, 1.4),
  mouth('warm_open', 'neutral', 1, 1.4),
];

const EYES: FaceDescription['eye_states'] = [
  { name: 'rest', lids: 0, gaze: 0, brows: 0, expression: 'neutral' },
  { name: 'half', lids: 0.5, gaze: 0, brows: 0, expression: 'neutral' },
  { name: 'closed', lids: 1, gaze: 0, brows: 0, expression: 'neutral' },
  { name: 'brows_up', lids: 0, gaze: 0, brows: 1, expression: 'neutral' },
  { name: 'look_left', lids: 0, gaze: -1, brows: 0, expression: 'neutral' },
  { name: 'look_right', lids: 0, gaze: 1, brows: 0, expression: 'neutral' },
  { name: 'warm_rest', lids: 0, gaze: 0, brows: 0, expression: 'warm' },
  { name: 'warm_brows_up', lids: 0, gaze: 0, brows: 1, expression: 'warm' },
];

export function drawnPictures(): FacePictures {
  const crops = <T extends { name: string }>(states: T[], area: Area, look: (state: T) => Look) =>
    new Map(states.map((state) => [state.name, pixels(area, (c) => drawFace(c, look(state)))]));
  return {
    description: {
      name: 'drawn',
      width: SIZE,
      height: SIZE,
      head: { x: SIZE / 2, y: SIZE / 2, height: 0.7 * SIZE },
      background: { x: 0, y: 0, scale: 1 },
      camera: { focal_px: 2.36 * SIZE, cx: SIZE / 2, cy: SIZE / 2, distance: 7.9 },
      pivot: [0, -0.75, -0.25],
      depth: { near: 6.5, far: 9 },
      mouth: MOUTH_AREA,
      eyes: EYES_AREA,
      lids_top: 48,
      mouths: MOUTHS,
      eye_states: EYES,
    },
    base: pixels(WHOLE, (c) => drawFace(c, REST)),
    background: pixels(WHOLE, drawBackground),
    depth: depth(),
    weight: weight(),
    mouths: crops(MOUTHS, MOUTH_AREA, ({ opening, width }) => ({ ...REST, opening, width })),
    eyes: crops(EYES, EYES_AREA, ({ lids, gaze, brows }) => ({ ...REST, lids, gaze, brows })),
  };
}

let built: Promise<Buffer> | undefined;

/** The bundle's bytes, built once for each test file. */
export const drawnBundleFile = () => (built ??= buildBundle(drawnPictures(), 'Drawn'));

export async function drawnBundle(): Promise<Bundle> {
  return { face: await decodeBundle(await drawnBundleFile()), close: () => {} };
}

const WHOLE: Area = { x: 0, y: 0, width: SIZE, height: SIZE };

function pixels({ x, y, width, height }: Area, draw: (context: SKRSContext2D) => void): Pixels {
  const context = createCanvas(width, height).getContext('2d');
  context.translate(-x, -y);
  draw(context);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, channels: 4, samples: new Uint8Array(data) };
}

function drawBackground(context: SKRSContext2D) {
  const gradient = context.createLinearGradient(0, 0, SIZE, SIZE);
  gradient.addColorStop(0, '#8090a8');
  gradient.addColorStop(1, '#c8c0b0');
  context.fillStyle = gradient;
  context.fillRect(0, 0, SIZE, SIZE);
}

function drawFace(context: SKRSContext2D, { opening, width, lids, gaze, brows }: Look) {
  const disc = (colour: string, x: number, y: number, across: number, down: number) => {
    context.fillStyle = colour;
    context.beginPath();
    context.ellipse(x, y, Math.max(0.01, across), Math.max(0.01, down), 0, 0, 2 * Math.PI);
    context.fill();
  };
  disc('#345a7a', 64, 134, 46, 24);
  context.fillStyle = '#d09878';
  context.fillRect(52, 92, 24, 24);
  disc('#503020', 64, 52, 36, 42);
  disc('#e8b090', 64, 62, 28, 38);
  for (const x of [52, 76]) {
    disc('#ffffff', x, 52, 6, 4.5 * (1 - lids));
    disc('#204030', x + 2 * gaze, 52, 2.6, Math.min(2.6, 4.5 * (1 - lids)));
    context.fillStyle = '#402818';
    context.fillRect(x - 7, 42 - 4 * brows, 14, 2);
  }
  disc('#b04848', 64, 82, 10 * width, 2 + 9 * opening);
  disc('#301010', 64, 82, 7 * width, 7.5 * opening);
}

function depth(): Pixels {
  const samples = new Uint16Array(SIZE * SIZE);
  for (let i = 0; i < samples.length; i++) {
    const x = ((i % SIZE) - 64) / 40;
    const y = (Math.floor(i / SIZE) - 58) / 48;
    const away = 7.9 - Math.sqrt(Math.max(0, 1 - x * x - y * y));
    samples[i] = ((away - 6.5) / 2.5) * 65_535;
  }
  return { width: SIZE, height: SIZE, channels: 1, samples };
}

function weight(): Pixels {
  const samples = new Uint8Array(SIZE * SIZE);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = 255 * Math.min(1, Math.max(0, (116 - Math.floor(i / SIZE)) / 18));
  }
  return { width: SIZE, height: SIZE, channels: 1, samples };
}
