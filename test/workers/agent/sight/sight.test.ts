import {
  RoomEvent,
  TrackKind,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  type Room,
  type VideoFrameEvent,
} from '@livekit/rtc-node';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '#shared/log.ts';
import { Sight } from '../../../../workers/agent/sight/sight.ts';
import { FakeSdkRoom } from '../../../support/sound/fake-sdk-room.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const USER = 'user-1';
const CAMERA = { kind: TrackKind.KIND_VIDEO, source: TrackSource.SOURCE_CAMERA };

/** Black above, white below. */
function frameOf(width: number, height: number, rotation = 0): VideoFrameEvent {
  const data = new Uint8Array(width * height * 1.5).fill(128);
  data.fill(16, 0, (width * height) / 2);
  data.fill(235, (width * height) / 2, width * height);
  const frame = new VideoFrame(data, width, height, VideoBufferType.I420);
  return { frame, rotation, timestampUs: 0n };
}

class CameraRoom extends FakeSdkRoom {
  readonly attributes: Record<string, string>[] = [];
  readonly localParticipant = {
    setAttributes: async (attributes: Record<string, string>) =>
      void this.attributes.push(attributes),
  };
}

let clock: TestClock;
let room: CameraRoom;
let video: ReadableStreamDefaultController<VideoFrameEvent> | null;
/** Streams that were opened. */
let opened: number;
let refusals: number;
let logged: string;
let sight: Sight;

beforeEach(() => {
  clock = new TestClock();
  room = new CameraRoom();
  room.comes(USER);
  video = null;
  opened = 0;
  refusals = 0;
  logged = '';
  sight = new Sight({
    room: room as unknown as Room,
    userIdentity: USER,
    onRefused: () => (refusals += 1),
    openVideo: () => {
      opened += 1;
      return new ReadableStream({
        start: (controller) => void (video = controller),
        cancel: () => void (video = null),
      });
    },
    clock,
    log: createLog(
      { name: 'test', level: 'debug' },
      { write: (line: string) => void (logged += line) },
    ),
  });
});
afterEach(() => {
  sight.close();
  for (const event of [RoomEvent.TrackPublished, RoomEvent.TrackSubscribed, RoomEvent.TrackMuted])
    expect(room.listenerCount(event)).toBe(0);
});

async function show(frame = frameOf(64, 48)): Promise<void> {
  await until(() => video !== null);
  video!.enqueue(frame);
  await until(async () => (await sight.picture()) !== null);
}

async function sizeOf(picture: string | null) {
  const { width, height, format } = await sharp(bytesOf(picture)).metadata();
  return [format, width, height];
}

const bytesOf = (picture: string | null): Buffer =>
  Buffer.from(picture!.replace('data:image/jpeg;base64,', ''), 'base64');

describe('the sight of an agent', () => {
  test('is a JPEG of the newest frame of the user’s camera', async () => {
    sight.start();
    const camera = room.publishes(USER, CAMERA);

    await show();

    expect(camera.subscriptions).toEqual([true]);
    expect(await sizeOf(await sight.picture())).toEqual(['jpeg', 64, 48]);
  });

  test('includes a camera that was on before', async () => {
    room.publishes(USER, CAMERA);
    sight.start();

    await show();

    expect(await sight.picture()).not.toBeNull();
  });

  test('is at most 768 pixels wide or high, and upright', async () => {
    sight.start();
    room.publishes(USER, CAMERA);

    await show(frameOf(1280, 720, 1));

    const picture = await sight.picture();
    expect(await sizeOf(picture)).toEqual(['jpeg', 432, 768]);
    // What was above is at the right.
    const { data, info } = await sharp(bytesOf(picture))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[info.width - 20]).toBeLessThan(40);
    expect(data[20]).toBeGreaterThan(215);
  });

  test('ends at once when the camera is turned off, and begins again with it', async () => {
    sight.start();
    const camera = room.publishes(USER, CAMERA);
    await show();

    room.mutes(camera, true);
    expect(await sight.picture()).toBeNull();
    video!.enqueue(frameOf(64, 48));
    await settle();
    expect(await sight.picture()).toBeNull();

    room.mutes(camera, false);
    await show();
    expect(opened).toBe(1);
  });

  test('ends with a camera that is not published any more', async () => {
    sight.start();
    const camera = room.publishes(USER, CAMERA);
    await show();

    camera.setSubscribed(false);

    await until(async () => (await sight.picture()) === null);
    expect(video).toBeNull();
  });

  test('leaves out other tracks, and those of others', async () => {
    room.comes('guest');
    sight.start();

    const other = room.publishes('guest', CAMERA);
    const screen = room.publishes(USER, { ...CAMERA, source: TrackSource.SOURCE_SCREENSHARE });

    expect([other, screen].map(({ subscriptions }) => subscriptions)).toEqual([[], []]);
  });

  test('lacks a frame that cannot be encoded', async () => {
    sight.start();
    room.publishes(USER, CAMERA);
    await until(() => video !== null);
    const frame = frameOf(2, 2);
    vi.spyOn(frame.frame, 'convert').mockImplementation(() => {
      throw new Error('unknown format');
    });

    video!.enqueue(frame);
    await settle();

    expect(await sight.picture()).toBeNull();
    expect(logged).toContain('not encoded');
  });

  test('ends for the call when the model refuses pictures, which the user’s page learns', async () => {
    sight.start();
    room.publishes(USER, CAMERA);
    await show();

    sight.refused(400);
    sight.refused(400);

    expect(await sight.picture()).toBeNull();
    expect(room.attributes).toEqual([{ 'troupe.sees': 'no' }]);
    expect(refusals).toBe(1);
    expect(logged.match(/refuses pictures/g)).toHaveLength(1);
  });
});
