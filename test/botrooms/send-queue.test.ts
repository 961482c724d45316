import { describe, expect, test } from 'vitest';
import { readRecord, writeRecord, type RecordName } from '#protocol/botroom/records.ts';
import { recordCodec, type RelayedRecord } from '../../src/botrooms/client-codec.ts';
import { SendQueue } from '../../src/botrooms/send-queue.ts';
import { pcm } from '../support/botrooms/botroom-peer.ts';

const PICTURE_BYTES = 40_000;

/** A queue to a peer that reads only on request. */
function slowPeer() {
  const got: string[] = [];
  const unread: (() => void)[] = [];
  let dropped = 0;
  const queue = new SendQueue({
    write: (record) => recordCodec.write(record),
    send(message, onSent) {
      unread.push(() => {
        const { type, blob } = readRecord(message as Uint8Array);
        got.push(blob.length > 0 ? `${type} ${blob[0]}` : type);
        onSent();
      });
    },
    onPictureDropped: () => (dropped += 1),
    onSent: () => {},
  });
  return {
    queue,
    got,
    dropped: () => dropped,
    /** Reads all there is. */
    read() {
      for (let deliver = unread.shift(); deliver; deliver = unread.shift()) deliver();
    },
  };
}

const record = (
  type: RecordName,
  header: object,
  blob: Uint8Array = new Uint8Array(),
): RelayedRecord => {
  const message = writeRecord(type, { ...header }, blob);
  return { ...readRecord(message), message };
};
const picture = (mark: number) =>
  record('video', { width: 8, height: 8, encoding: 'jpeg' }, Buffer.alloc(PICTURE_BYTES, mark));
const sound = (mark: number, ms = 20) =>
  record('audio', { sample_rate: 48_000, num_channels: 1 }, pcm(mark, ms, 48_000));

describe('the queue to a peer', () => {
  test('keeps the newest picture and all sound of a peer that does not read', () => {
    const peer = slowPeer();

    for (let mark = 1; mark <= 6; mark++) {
      peer.queue.push(picture(mark));
      peer.queue.push(sound(mark));
    }
    peer.read();

    // The first two pictures fill the window.
    expect(peer.got.filter((name) => name.startsWith('video'))).toEqual([
      'video 1',
      'video 2',
      'video 6',
    ]);
    expect(peer.got.filter((name) => name.startsWith('audio'))).toHaveLength(6);
    expect(peer.got.at(-1)).toBe('audio 6');
    expect(peer.dropped()).toBe(3);
    expect(peer.queue).toMatchObject({ picturesSent: 3, picturesDropped: 3, bytes: 0 });
  });

  test('has a bounded size, however many pictures come', () => {
    const peer = slowPeer();
    const sizes = new Set<number>();

    for (let count = 0; count < 2_000; count++) {
      peer.queue.push(picture(1));
      sizes.add(peer.queue.bytes);
    }

    expect(Math.max(...sizes)).toBeLessThan(3.1 * PICTURE_BYTES);
  });

  test('is full with more than ten seconds of waiting sound', () => {
    const peer = slowPeer();
    // One picture more than the window holds: all sound waits.
    for (const mark of [1, 2]) peer.queue.push(picture(mark));

    for (let count = 0; count < 500; count++) peer.queue.push(sound(1));
    expect(peer.queue.isFull).toBe(false);
    peer.queue.push(sound(1));

    expect(peer.queue.isFull).toBe(true);
    peer.read();
    expect(peer.queue.isFull).toBe(false);
  });

  test.each([
    ['records of a sample', () => sound(1, 1 / 48)],
    ['long captions', () => record('caption', { text: 'x'.repeat(2_000) })],
  ])('is full with too many %s', (_what, make) => {
    const peer = slowPeer();
    for (const mark of [1, 2]) peer.queue.push(picture(mark));

    let count = 0;
    while (!peer.queue.isFull && count < 10_000) {
      peer.queue.push(make());
      count += 1;
    }

    expect(count).toBeLessThan(2_100);
  });

  test('forgets the sound that an interruption overtakes', () => {
    const peer = slowPeer();
    for (const mark of [1, 2]) peer.queue.push(picture(mark));
    for (let count = 0; count < 501; count++) peer.queue.push(sound(1));

    peer.queue.drop(['audio']);
    peer.queue.push(sound(9));
    peer.read();

    expect(peer.queue.isFull).toBe(false);
    expect(peer.got).toEqual(['video 1', 'video 2', 'audio 9']);
  });

  test('sends nothing once it is closed', () => {
    const peer = slowPeer();
    for (const mark of [1, 2, 3]) peer.queue.push(picture(mark));

    peer.queue.close();
    peer.queue.push(sound(1));
    peer.read();

    expect(peer.got).toEqual(['video 1', 'video 2']);
  });
});
