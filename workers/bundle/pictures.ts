import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LIP_SHAPES } from './visemes.ts';
import { EXPRESSIONS } from './expressions.ts';
import { type Pixels, readPng } from './png.ts';

const Area = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  width: Type.Integer({ minimum: 2 }),
  height: Type.Integer({ minimum: 2 }),
});
export type Area = Static<typeof Area>;

/** face.json: describes the pictures in the same folder. */
const FaceDescription = Type.Object({
  name: Type.String(),
  width: Type.Integer({ multipleOf: 16 }),
  height: Type.Integer({ multipleOf: 16 }),
  /** Centre and height of the head with its hair. */
  head: Type.Object({ x: Type.Number(), y: Type.Number(), height: Type.Number() }),
  /**
   * Place of the background's upper left corner in the base, and how many pixels of the base one
   * of its pixels spans.
   */
  background: Type.Object({ x: Type.Number(), y: Type.Number(), scale: Type.Number() }),
  camera: Type.Object({
    focal_px: Type.Number(),
    cx: Type.Number(),
    cy: Type.Number(),
    distance: Type.Number(),
  }),
  pivot: Type.Tuple([Type.Number(), Type.Number(), Type.Number()]),
  depth: Type.Object({ near: Type.Number(), far: Type.Number() }),
  mouth: Area,
  eyes: Area,
  /**
   * Raised brows may change only rows above this one; the lids below it belong to other pictures.
   * Absent: no limit.
   */
  lids_top: Type.Optional(Type.Integer()),
  mouths: Type.Array(
    Type.Object({
      name: Type.String(),
      lips: Type.Enum([...LIP_SHAPES]),
      strength: Type.Number(),
      opening: Type.Number(),
      expression: Type.Enum([...EXPRESSIONS]),
    }),
  ),
  eye_states: Type.Array(
    Type.Object({
      name: Type.String(),
      lids: Type.Number(),
      gaze: Type.Number(),
      brows: Type.Number(),
      expression: Type.Enum([...EXPRESSIONS]),
    }),
  ),
});
export type FaceDescription = Static<typeof FaceDescription>;

const descriptionCheck = Compile(FaceDescription);

/**
 * All pictures of one face. `base` is the face at rest on transparent background. `mouths` and
 * `eyes` are crops of it; the first of each is at rest, rendered like the other crops, unlike the
 * base.
 */
export type FacePictures = {
  description: FaceDescription;
  base: Pixels;
  background: Pixels;
  /** Distance from `near` (0) to `far`, 16 bits. */
  depth: Pixels;
  weight: Pixels;
  mouths: Map<string, Pixels>;
  eyes: Map<string, Pixels>;
};

/** Reads a folder written by the studio. */
export async function readPictures(folder: string): Promise<FacePictures> {
  const description: unknown = JSON.parse(await readFile(path.join(folder, 'face.json'), 'utf8'));
  if (!descriptionCheck.Check(description)) {
    const [firstError] = descriptionCheck.Errors(description);
    throw new Error(
      `${folder}/face.json is invalid at ${firstError?.instancePath}: ${firstError?.message}`,
    );
  }
  const read = async (name: string) => readPng(await readFile(path.join(folder, name)));
  const readAll = async (part: string, states: { name: string }[]) =>
    new Map(
      await Promise.all(
        states.map(async ({ name }) => [name, await read(`${part}/${name}.png`)] as const),
      ),
    );
  return {
    description,
    base: await read('base.png'),
    background: await read('background.png'),
    depth: await read('depth.png'),
    weight: await read('weight.png'),
    mouths: await readAll('mouths', description.mouths),
    eyes: await readAll('eyes', description.eye_states),
  };
}
