import { beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../../../../workers/bundle/open-bundle.ts';
import type { Backdrop } from '../../../../workers/avatar/performer/backdrop.ts';
import { BuiltInPerformer } from '../../../../workers/avatar/performer/built-in-performer.ts';
import { drawnBundle } from '../../../support/picture/drawn-face.ts';

const [WIDTH, HEIGHT] = [160, 96];
const FRAME_MS = 40;
const MOVE_FRAMES = 21;
const GREEN: Backdrop = { kind: 'colour', colour: '#00b140' };
/** #00b140 in BT.601 limited range. */
const GREEN_PLANES = { y: 111, u: 105, v: 58 };

let bundle: Bundle;
beforeAll(async () => {
  bundle = await drawnBundle();
});

const perform = (backdrop?: Backdrop, framing: 'close' | 'bust' = 'close') =>
  new BuiltInPerformer(bundle, {
    seed: 'a',
    scene: { width: WIDTH, height: HEIGHT, framing, backdrop },
  });
const newFrame = (width = WIDTH) => new Uint8Array(width * HEIGHT * 1.5);
/** A corner of the frame, which the face never covers. */
const cornerOf = (frame: Uint8Array, width = WIDTH) => ({
  y: frame[2 * width + 2]!,
  u: frame[width * HEIGHT + width / 2 + 1]!,
  v: frame[1.25 * width * HEIGHT + width / 2 + 1]!,
});
const middleOf = (frame: Uint8Array, width = WIDTH) => frame[(HEIGHT / 2) * width + WIDTH / 2]!;

describe('what is behind the avatar', () => {
  test('is its own room, if nothing is asked for', () => {
    const [frame, blurred] = [newFrame(), newFrame()];
    const performers = [perform(), perform({ kind: 'blur' })];
    performers[0]!.draw(0, frame);
    performers[1]!.draw(0, blurred);

    expect(Math.abs(cornerOf(frame).y - cornerOf(blurred).y)).toBeLessThan(12);
    expect(middleOf(frame)).toBe(middleOf(blurred));
    for (const performer of performers) performer.close();
  });

  test('is a colour or a picture that fills the frame', () => {
    const frame = newFrame();
    const green = perform(GREEN);
    green.draw(0, frame);
    expect(cornerOf(frame)).toEqual(GREEN_PLANES);
    green.close();

    const i420 = new Uint8Array(32 * 32 * 1.5).fill(60).fill(200, 0, 32 * 4);
    const pictured = perform({ kind: 'picture', picture: { width: 32, height: 32, i420 } });
    pictured.draw(0, frame);
    // The bright stripe above is cut off in a frame that is wider than the picture.
    expect(cornerOf(frame)).toEqual({ y: 60, u: 60, v: 60 });
    pictured.close();
  });

  test('changes while the session runs, and the face stays', () => {
    const frame = newFrame();
    const performer = perform();
    performer.draw(0, frame);
    const skin = middleOf(frame);

    performer.place(GREEN);
    performer.draw(FRAME_MS, frame);

    expect(cornerOf(frame)).toEqual(GREEN_PLANES);
    expect(Math.abs(middleOf(frame) - skin)).toBeLessThan(8);
    performer.close();
  });

  test('is nothing: the opacity is beside the picture on black', () => {
    const frame = newFrame(2 * WIDTH);
    const performer = perform({ kind: 'transparent' });
    for (let at = 0; at < 400; at += FRAME_MS) performer.draw(at, frame);

    expect(cornerOf(frame, 2 * WIDTH)).toEqual({ y: 16, u: 128, v: 128 });
    const opacity = (x: number, y: number) => frame[y * 2 * WIDTH + WIDTH + x]!;
    expect(opacity(2, 2)).toBe(16);
    expect(opacity(WIDTH / 2, HEIGHT / 2)).toBe(235);
    // The right half of both chroma planes is grey.
    const chroma = frame.subarray(2 * WIDTH * HEIGHT);
    for (let row = 0; row < HEIGHT; row++) expect(chroma[row * WIDTH + WIDTH - 3]).toBe(128);
    performer.close();
  });
});

/** Width of the face at the height of its eyes, in pixels that are not green. */
const faceWidth = (frame: Uint8Array) => {
  const row = frame.subarray((HEIGHT / 2) * WIDTH, (HEIGHT / 2 + 1) * WIDTH);
  return row.filter((value) => Math.abs(value - GREEN_PLANES.y) > 12).length;
};

describe('a change of the framing', () => {
  test('moves smoothly, and what is behind stands still', () => {
    const frame = newFrame();
    const performer = perform(GREEN, 'bust');
    performer.draw(0, frame);
    const widths = [faceWidth(frame)];

    performer.frame({ x: 0.5, y: 0.6, head: 1.2 });
    for (let i = 1; i <= MOVE_FRAMES; i++) {
      performer.draw(i * FRAME_MS, frame);
      expect(cornerOf(frame).y).toBe(GREEN_PLANES.y);
      widths.push(faceWidth(frame));
    }

    expect(widths.at(-1)! - widths[0]!).toBeGreaterThan(10);
    widths.slice(1).forEach((width, i) => {
      expect(width - widths[i]!).toBeGreaterThanOrEqual(-2);
      expect(width - widths[i]!).toBeLessThan(12);
    });
    performer.close();
  });

  test('ends as a session that began with it', () => {
    const [frame, expected] = [newFrame(), newFrame()];
    const performer = perform(GREEN, 'bust');
    performer.draw(0, frame);
    performer.frame('close');
    for (let i = 1; i <= MOVE_FRAMES + 1; i++) performer.draw(i * FRAME_MS, frame);
    const twin = perform(GREEN, 'close');
    twin.draw((MOVE_FRAMES + 1) * FRAME_MS, expected);

    const differing = frame.filter((value, at) => Math.abs(value - expected[at]!) > 24);
    expect(differing.length).toBeLessThan(20);
    performer.close();
    twin.close();
  });

  test('can change again on the way, also what is behind', () => {
    const frame = newFrame();
    const performer = perform(undefined, 'bust');
    performer.draw(0, frame);
    performer.frame('close');
    performer.draw(10 * FRAME_MS, frame);
    performer.frame('bust');
    performer.place(GREEN);
    performer.draw(11 * FRAME_MS, frame);
    expect(cornerOf(frame)).toEqual(GREEN_PLANES);

    for (let i = 12; i < 12 + MOVE_FRAMES; i++) performer.draw(i * FRAME_MS, frame);
    const [settled, still] = [Uint8Array.from(frame), newFrame()];
    performer.frame('bust');
    performer.draw(60 * FRAME_MS, still);

    expect(Math.abs(faceWidth(settled) - faceWidth(still))).toBeLessThan(5);
    performer.close();
  });

  test('keeps the opacity of a transparent session', () => {
    const frame = newFrame(2 * WIDTH);
    const performer = perform({ kind: 'transparent' }, 'bust');
    performer.draw(0, frame);
    performer.frame('close');
    performer.draw(5 * FRAME_MS, frame);

    const opacity = (x: number, y: number) => frame[y * 2 * WIDTH + WIDTH + x]!;
    expect(opacity(2, 2)).toBe(16);
    expect(opacity(WIDTH / 2, HEIGHT / 2)).toBe(235);
    expect(cornerOf(frame, 2 * WIDTH)).toEqual({ y: 16, u: 128, v: 128 });
    performer.close();
  });
});
