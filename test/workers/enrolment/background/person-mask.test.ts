import { beforeAll, describe, expect, test } from 'vitest';
import { headOf, openModels, type Models } from '../../../../workers/enrolment/build.ts';
import { cutOut } from '../../../../workers/enrolment/background/cut-out.ts';
import type { Head } from '../../../../workers/enrolment/face/head-crop.ts';
import { ovalMask } from '../../../../workers/enrolment/background/oval-mask.ts';
import { maskOf } from '../../../../workers/enrolment/background/person-mask.ts';
import { colourAt, lightOf, raster } from '../../../../workers/enrolment/picture/raster.ts';
import { portrait } from '../portraits.ts';

let models: Models;
let head: Head;
beforeAll(async () => {
  models = await openModels();
  head = await headOf(portrait, models.finder);
});

const NOSE = 1;
const at = (x: number, y: number) => Math.round(y) * 512 + Math.round(x);

describe("a person's mask", () => {
  test('contains the face and not the wall', () => {
    const mask = maskOf(head, models.person)!;

    const [x, y] = head.points[NOSE]!;
    expect(mask[at(x, y)]).toBe(1);
    expect(mask[at(8, 8)]).toBe(0);
    expect(mask[at(504, 8)]).toBe(0);
  });

  test('leaves nothing of the head in the background', () => {
    const { behind, person } = cutOut(head.picture, maskOf(head, models.person)!);

    const [x, y] = head.points[NOSE]!;
    const wall = lightOf(colourAt(head.picture, 8, 200));
    expect(Math.abs(lightOf(colourAt(behind, x, y)) - wall)).toBeLessThan(40);
    expect(person.values[4 * at(x, y) + 3]).toBe(255);
    expect(person.values[4 * at(8, 8) + 3]).toBe(0);
  });

  test('is null without a person', () => {
    const empty = raster(512, 512);
    empty.values.fill(128);

    expect(maskOf({ picture: empty, points: head.points }, models.person)).toBeNull();
  });

  test('falls back to a soft oval around the face and everything below it', () => {
    const mask = ovalMask(head);

    const [x, y] = head.points[NOSE]!;
    expect(mask[at(x, y)]).toBe(1);
    expect(mask[at(4, 4)]).toBe(0);
    expect(mask[at(4, 508)]).toBe(1);
  });
});
