/*
 * From a photo to an avatar bundle:
 *   decode -> find the one face -> crop the head -> separate person and background
 *   -> draw each mouth and each state of the eyes
 * All moving parts come from the photo's pixels, except what it does not show: the inside of the
 * mouth, and the background behind the head.
 */
import sharp from 'sharp';
import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import { buildBundle } from '../bundle/build.ts';
import type { FacePictures } from '../bundle/pictures.ts';
import { type Background, drawBackground, openBackground } from './background/background.ts';
import { cutOut } from './background/cut-out.ts';
import { decodePicture } from './picture/decode-picture.ts';
import { drawEyes, eyesArea, eyeStatesOf } from './eyes/eyes.ts';
import { measureLight, showsTeeth } from './face/face-light.ts';
import { findFace } from './face/find-face.ts';
import { cropHead, type Head, SIZE } from './face/head-crop.ts';
import { CAMERA, DEPTH, depthOf, HEAD_PLACE, pivotOf, weightOf } from './face/head-depth.ts';
import { FaceFinder } from './face/landmarks.ts';
import { measureLips } from './mouth/lips.ts';
import { MOUTH_FORMS } from './mouth/mouth-forms.ts';
import { mouthArea } from './mouth/mouth-moves.ts';
import { drawMouth, type MouthStage } from './mouth/mouths.ts';
import { ovalMask } from './background/oval-mask.ts';
import { openPersonModel, maskOf, type PersonModel } from './background/person-mask.ts';
import { PictureError } from './picture-error.ts';
import type { Photo } from './picture/photo.ts';
import { pixelsOf, type Raster, wholeOf } from './picture/raster.ts';
import { unclearHead, unclearPhoto } from './face/clear-face.ts';
import { isCovered } from './face/covered-face.ts';
import { turnedPhotos } from './face/turned-photo.ts';

export type PhotoWishes = { name: string; background: Background };

export type PhotoAvatar = {
  bundle: Buffer;
  /** WebP quality. */
  portrait: Buffer;
};

/** Share of the total time at which each step ends. */
const FOUND = 0.1;
const CUT = 0.2;
const DRAWN = 0.6;

/**
 * Head weight, of 255. Motion behind a soft outline is visible, so it is halved there: 2 degrees at
 * most.
 */
const HEAD_MOVES = 255;
const HEAD_SWAYS = 128;

export type Models = { finder: FaceFinder; person: PersonModel };

export async function openModels(): Promise<Models> {
  const [finder, person] = await Promise.all([FaceFinder.open(), openPersonModel()]);
  return { finder, person };
}

/** Throws a PictureError if the picture cannot become an avatar. */
export async function buildFromPhoto(
  picture: Uint8Array,
  wishes: PhotoWishes,
  models: Models,
  progress: (share: number) => void,
): Promise<PhotoAvatar> {
  // First, because finding a face takes seconds.
  const wish = await openBackground(wishes.background);
  const photoHead = await headOf(picture, models.finder);
  progress(FOUND);

  const { person, behind, isSharp } = separate(photoHead, models.person);
  const head: Head = { ...photoHead, picture: person };
  const background = drawBackground(wish, behind);
  progress(CUT);

  const pictures = drawPictures(
    head,
    background,
    wishes.name,
    isSharp ? HEAD_MOVES : HEAD_SWAYS,
    (share) => progress(CUT + share * (DRAWN - CUT)),
  );
  const bundle = await buildBundle(pictures, wishes.name, 'quick');
  progress(1);
  return { bundle, portrait: await portraitOf(pictures) };
}

/** Crops the one head in the picture. Throws a PictureError if there is none. */
export async function headOf(picture: Uint8Array, finder: FaceFinder): Promise<Head> {
  const photo = await decodePicture(picture);
  const head = openIfUsable(photo, finder);
  if (!(head instanceof PictureError)) return head;

  const unclear = unclearPhoto(photo);
  if (unclear) throw new PictureError(unclear);
  for (const turnedPhoto of turnedPhotos(photo, finder)) {
    const turnedHead = openIfUsable(turnedPhoto, finder);
    if (!(turnedHead instanceof PictureError)) return turnedHead;
  }
  try {
    // The finder would see the same.
    if (head.reason === 'no_face') throw head;
    return openHead(photo, finder, false);
  } catch (error) {
    // The face may be in the part that is missing.
    const isMissing = photo.isIncomplete && error instanceof PictureError && isUnsure(error);
    throw isMissing ? new PictureError('damaged') : error;
  }
}

/** Reasons that may have another reason behind them. */
const UNSURE: ReadonlySet<PictureProblem> = new Set(['no_face', 'covered', 'turned_away']);

const isUnsure = ({ reason }: PictureError): boolean => UNSURE.has(reason);

/** Returns the error if its reason may have another one behind it. */
function openIfUsable(photo: Photo, finder: FaceFinder): Head | PictureError {
  try {
    return openHead(photo, finder, true);
  } catch (error) {
    if (error instanceof PictureError && isUnsure(error)) return error;
    throw error;
  }
}

function openHead(photo: Photo, finder: FaceFinder, mustAgree: boolean): Head {
  const head = cropHead(photo, findFace(photo, finder, mustAgree));
  const unclear = unclearHead(head);
  if (unclear) throw new PictureError(unclear);
  if (isCovered(head)) throw new PictureError('covered');
  return head;
}

/** Separates the person from the background. The outline is soft if the model found no person. */
function separate(
  head: Head,
  model: PersonModel,
): { person: Raster; behind: Raster; isSharp: boolean } {
  const mask = maskOf(head, model);
  if (mask) return { ...cutOut(head.picture, mask), isSharp: true };
  const oval = ovalMask(head);
  const person: Raster = { ...head.picture, values: head.picture.values.slice() };
  oval.forEach((share, i) => {
    person.values[4 * i + 3] = 255 * share;
  });
  return { person, behind: cutOut(head.picture, oval).behind, isSharp: false };
}

function drawPictures(
  head: Head,
  background: Raster,
  name: string,
  motion: number,
  progress: (share: number) => void,
): FacePictures {
  const light = measureLight(head);
  const stage: MouthStage = {
    head,
    light,
    lips: measureLips(head),
    hasTeeth: showsTeeth(head, light),
    area: mouthArea(head),
  };
  const mouths = MOUTH_FORMS.map((form, i) => {
    progress(i / MOUTH_FORMS.length);
    return drawMouth(stage, form);
  });
  // At rest the mouth is shut, even if the photo shows a laugh.
  const base: Head = { ...head, picture: laidOver(head.picture, mouths[0]!, stage.area) };
  const area = eyesArea(head);
  const eyeStates = eyeStatesOf(head);
  const wholeArea = wholeOf(head.picture);
  return {
    description: {
      name,
      width: SIZE,
      height: SIZE,
      head: HEAD_PLACE,
      background: { x: 0, y: 0, scale: 1 },
      camera: CAMERA,
      pivot: pivotOf(head),
      depth: DEPTH,
      mouth: stage.area,
      eyes: area,
      mouths: MOUTH_FORMS.map(({ name, lips, strength, opening }) => ({
        name,
        lips,
        strength,
        opening,
        expression: 'neutral',
      })),
      eye_states: [...eyeStates],
    },
    base: pixelsOf(base.picture, wholeArea),
    background: pixelsOf(background, wholeArea),
    depth: depthOf(head),
    weight: weightOf(head, motion),
    mouths: new Map(
      MOUTH_FORMS.map(({ name }, i) => [name, pixelsOf(mouths[i]!, wholeOf(mouths[i]!))]),
    ),
    eyes: new Map(
      eyeStates.map((state) => {
        const eyesPicture = drawEyes(base, state, area);
        return [state.name, pixelsOf(eyesPicture, wholeOf(eyesPicture))];
      }),
    ),
  };
}

function laidOver(under: Raster, part: Raster, at: { x: number; y: number }): Raster {
  const values = under.values.slice();
  for (let row = 0; row < part.height; row++) {
    values.set(
      part.values.subarray(4 * row * part.width, 4 * (row + 1) * part.width),
      4 * ((at.y + row) * under.width + at.x),
    );
  }
  return { ...under, values };
}

async function portraitOf({ base, background }: FacePictures): Promise<Buffer> {
  const { width, height } = base;
  const colours = new Uint8ClampedArray(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    const share = base.samples[4 * i + 3]! / 255;
    for (let channel = 0; channel < 3; channel++) {
      const under = background.samples[4 * i + channel]!;
      colours[3 * i + channel] = under + (base.samples[4 * i + channel]! - under) * share;
    }
  }
  return sharp(colours, { raw: { width, height, channels: 3 } })
    .webp({ quality: PORTRAIT_QUALITY })
    .toBuffer();
}

const PORTRAIT_QUALITY = 90;
