import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { headOf } from '../../../../workers/enrolment/build.ts';
import { decodePicture } from '../../../../workers/enrolment/picture/decode-picture.ts';
import {
  apart,
  CHIN,
  NOSE_TIP,
  type Point,
} from '../../../../workers/enrolment/face/face-points.ts';
import { findFace } from '../../../../workers/enrolment/face/find-face.ts';
import { FaceFinder } from '../../../../workers/enrolment/face/landmarks.ts';
import { drawn, jpegOf, paintedOver, portrait, turnedByExif } from '../portraits.ts';

let finder: FaceFinder;
let straight: Point[];

const pointsOf = async (picture: Buffer) => findFace(await decodePicture(picture), finder);

const changedPortrait = (change: (picture: Sharp) => Sharp) =>
  change(sharp(portrait)).png().toBuffer();

beforeAll(async () => {
  finder = await FaceFinder.open();
  straight = await pointsOf(portrait);
});

describe('the face in a picture', () => {
  test('is found when EXIF rotates the picture', async () => {
    const points = await pointsOf(await turnedByExif());

    expect(apart(points[NOSE_TIP]!, straight[NOSE_TIP]!)).toBeLessThan(2);
    expect(apart(points[CHIN]!, straight[CHIN]!)).toBeLessThan(2);
  });

  test('is found mirrored', async () => {
    const canvas = await drawn(512, 512, (context, picture) => {
      context.scale(-1, 1);
      context.drawImage(picture, -512, 0);
    });

    const points = await pointsOf(await jpegOf(canvas));

    const [x, y] = straight[NOSE_TIP]!;
    expect(apart(points[NOSE_TIP]!, [512 - x, y, 0])).toBeLessThan(3);
  });

  test('is found in the dark', async () => {
    const dark = await paintedOver((context) => {
      context.fillStyle = 'rgb(0 0 0 / 70%)';
      context.fillRect(0, 0, 512, 512);
    });

    const points = await pointsOf(dark);

    expect(apart(points[NOSE_TIP]!, straight[NOSE_TIP]!)).toBeLessThan(3);
  });

  test('is turned upright when the head is tilted', async () => {
    const canvas = await drawn(512, 512, (context, picture) => {
      context.fillStyle = '#c8c0c0';
      context.fillRect(0, 0, 512, 512);
      context.translate(256, 256);
      context.rotate(0.4);
      context.drawImage(picture, -256, -300);
    });

    const { points } = await headOf(await jpegOf(canvas), finder);

    const [leftEye, right] = [points[33]!, points[263]!];
    expect(Math.abs(leftEye[1] - right[1])).toBeLessThan(6);
    expect(leftEye[0]).toBeLessThan(right[0]);
  });

  test('fills its place in a tightly cropped picture', async () => {
    const canvas = await drawn(256, 256, (context, picture) => context.drawImage(picture, -120, 0));

    const { points, picture } = await headOf(await jpegOf(canvas), finder);

    expect(apart(points[234]!, points[454]!)).toBeGreaterThan(180);
    expect(picture.values.every((value) => value >= 0 && value <= 255)).toBe(true);
  });

  test.each([
    ['a cloth over the mouth', '#7aa0c8', [165, 125, 125, 90]],
    ['a white mask', '#ebebeb', [165, 125, 125, 90]],
    ['dark glasses', '#0a0a0a', [170, 85, 115, 30]],
  ] as const)('is covered by %s', async (_, colour, [x, y, width, height]) => {
    const covered = await paintedOver((context) => {
      context.fillStyle = colour;
      context.fillRect(x, y, width, height);
    });

    await expect(headOf(covered, finder)).rejects.toMatchObject({ reason: 'covered' });
  });

  test('is covered when the picture cuts it off', async () => {
    const canvas = await drawn(286, 300, (context, picture) => context.drawImage(picture, -226, 0));

    await expect(headOf(await jpegOf(canvas), finder)).rejects.toMatchObject({ reason: 'covered' });
  });

  test.each([90, 180, 270])(
    'is turned upright in a picture turned by %s degrees',
    async (angle) => {
      const { points } = await headOf(await sharp(portrait).rotate(angle).png().toBuffer(), finder);

      const expected = (await headOf(portrait, finder)).points;
      expect(apart(points[NOSE_TIP]!, expected[NOSE_TIP]!)).toBeLessThan(4);
      expect(apart(points[CHIN]!, expected[CHIN]!)).toBeLessThan(4);
    },
  );

  test.each<[name: string, reason: string, change: (picture: Sharp) => Sharp]>([
    ['nearly black', 'too_dark', (picture) => picture.linear(0.05, 0)],
    ['so dark that nothing is found', 'too_dark', (picture) => picture.linear(0.02, 0)],
    ['in a fifth of the light', 'too_dark', (picture) => picture.linear(0.2, 0)],
    ['overexposed', 'too_bright', (picture) => picture.linear(1.6, 0)],
    ['nearly white', 'too_bright', (picture) => picture.linear(4, 0)],
    ['faded', 'low_contrast', (picture) => picture.linear(0.15, 110)],
    ['in fog', 'low_contrast', (picture) => picture.linear(0.05, 180)],
    ['out of focus', 'blurred', (picture) => picture.blur(4)],
    ['far out of focus', 'blurred', (picture) => picture.blur(9)],
  ])('%s is refused as %s', async (_, reason, change) => {
    await expect(headOf(await changedPortrait(change), finder)).rejects.toMatchObject({ reason });
  });

  test.each<[name: string, change: (picture: Sharp) => Sharp]>([
    ['in a third of the light', (picture) => picture.linear(0.35, 0)],
    ['in much light', (picture) => picture.linear(1.2, 0)],
    ['with little contrast', (picture) => picture.linear(0.4, 75)],
    ['slightly out of focus', (picture) => picture.blur(2)],
  ])('%s is accepted', async (_, change) => {
    expect((await headOf(await changedPortrait(change), finder)).points).toHaveLength(478);
  });

  test('is too small in a picture of a whole scene', async () => {
    const canvas = await drawn(800, 600, (context, picture) => {
      context.fillStyle = '#b4b4be';
      context.fillRect(0, 0, 800, 600);
      context.drawImage(picture, 200, 200, 300, 300);
    });

    const building = headOf(await jpegOf(canvas), finder);

    await expect(building).rejects.toMatchObject({ reason: 'face_too_small' });
  });

  test('is rejected when there are two', async () => {
    const canvas = await drawn(1024, 512, (context, picture) => {
      context.drawImage(picture, 0, 0);
      context.drawImage(picture, 512, 0);
    });

    await expect(headOf(await jpegOf(canvas), finder)).rejects.toMatchObject({
      reason: 'two_faces',
    });
  });

  test('is the nearer one when another is far behind', async () => {
    const canvas = await drawn(1024, 1024, (context, picture) => {
      context.drawImage(picture, 0, 0, 1024, 1024);
      context.drawImage(picture, 140, 0, 170, 220, 20, 20, 85, 110);
    });

    const points = await pointsOf(await jpegOf(canvas));

    expect(apart(points[234]!, points[454]!)).toBeGreaterThan(150);
  });
});
