import { beforeEach, describe, expect, test } from 'vitest';
import type { Quality } from '#protocol/qualities.ts';
import { SessionFrames } from '../../../../workers/avatar/quality/session-frames.ts';
import type { Transport } from '../../../../workers/avatar/transport/transport.ts';
import { MemoryPerformer } from '../../../support/picture/memory-performer.ts';
import { MemoryRoom } from '../../../support/picture/memory-room.ts';
import { TestClock } from '../../../support/test-clock.ts';

const video = { width: 16, height: 16, fps: 25 };
const FRAME_MS = 40;

let room: MemoryRoom;
let performer: MemoryPerformer;
let leftOut: number[];
let frames: SessionFrames;
let atMs: number;
beforeEach(() => {
  atMs = 0;
  leftOut = [];
  room = new MemoryRoom(new TestClock());
  performer = new MemoryPerformer();
  frames = open();
});

const open = (transport: Pick<Transport, 'showFrame' | 'showsSmaller'> = room) =>
  new SessionFrames({
    video,
    performer,
    transport,
    onShown: (_atMs, count) => leftOut.push(count),
  });

function show(quality: Quality, count: number, missed = 0): void {
  for (let i = 0; i < count; i++) {
    atMs += (1 + missed) * FRAME_MS;
    frames.tick(atMs, missed, quality);
  }
}

const widths = () => new Set(room.frames.map(({ width }) => width));

describe('frames of a session', () => {
  test('are all shown, of full size, at full quality', () => {
    show('full', 25);

    expect(room.frames).toHaveLength(25);
    expect(performer.drawTimes).toHaveLength(25);
    expect(widths()).toEqual(new Set([16]));
    expect(leftOut).toEqual(Array(25).fill(0));
  });

  test.each([
    ['fewer_frames', 16],
    ['smaller_picture', 8],
    ['mouth_only', 8],
  ] as const)('at %s are half as many, %i pixels wide', (quality, width) => {
    show(quality, 50);

    expect(room.frames).toHaveLength(25);
    expect(performer.drawTimes).toHaveLength(25);
    expect(widths()).toEqual(new Set([width]));
    expect(leftOut.slice(1)).toEqual(Array(24).fill(1));
  });

  test('are two a second of a still picture, so that the session does not count as stalled', () => {
    show('still_picture', 50);

    const times = room.frames.map((frame) => frame.atMs);
    expect(times).toEqual([40, 520, 1000, 1480, 1960]);
    expect(widths()).toEqual(new Set([8]));
  });

  test('keep the size that a transport needs', () => {
    frames = open({
      showsSmaller: false,
      showFrame: (i420, at, size) => room.showFrame(i420, at, size),
    });

    show('still_picture', 13);

    expect(widths()).toEqual(new Set([16]));
  });

  test('count as left out when missed or skipped', () => {
    show('full', 1);
    show('fewer_frames', 3, 1);
    show('fewer_frames', 1, 4);
    show('full', 1);

    expect(leftOut).toEqual([0, 1, 1, 1, 4, 0]);
  });

  test('move as much as the quality allows', () => {
    const qualities = ['full', 'fewer_frames', 'smaller_picture'] as const;
    for (const quality of qualities) show(quality, 2);
    expect(performer.movements).toEqual([]);

    show('mouth_only', 4);
    show('still_picture', 25);
    show('full', 2);

    expect(performer.movements).toEqual(['mouth', 'nothing', 'all']);
  });

  test('repeat the last one of a performer that cannot stand still', () => {
    Object.assign(performer, { move: undefined });
    show('full', 2);
    const drawn = performer.drawTimes.length;

    show('still_picture', 25);

    expect(performer.drawTimes).toHaveLength(drawn);
    expect(room.frames.length).toBe(drawn + 2);
    expect(new Set(room.frames.slice(-3).map(({ firstLuma }) => firstLuma)).size).toBe(1);
  });
});
