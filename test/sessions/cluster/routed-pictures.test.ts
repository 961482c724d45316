import { describe, expect, test } from 'vitest';
import { NodeGone, type ClusterBus } from '../../../src/cluster/cluster-bus.ts';
import type { SessionNotices, SessionRequests } from '../../../src/sessions/cluster/messages.ts';
import { OwnerLookup } from '../../../src/sessions/cluster/owner-lookup.ts';
import { RoutedPictures } from '../../../src/sessions/cluster/routed-pictures.ts';
import type { SessionRecord } from '../../../src/records/sessions/sessions.ts';
import {
  OwnPictures,
  type PictureChange,
} from '../../../src/sessions/pictures/session-pictures.ts';
import { TestClock } from '../../support/test-clock.ts';

const CHANGE: PictureChange = { framing: 'close', emotion: 'happy' };

type Place = {
  /** As Redis names it. */
  owner: string | null;
  isLiveHere?: boolean;
  answer?: () => Promise<boolean>;
};

function picturesWith({ owner, isLiveHere = false, answer = async () => true }: Place) {
  const changed: PictureChange[] = [];
  const asked: unknown[] = [];
  const records = { find: async () => ({ id: 'session-1', status: 'ongoing' }) as SessionRecord };
  const session = { changePicture: async (change: PictureChange) => void changed.push(change) };
  const live = {
    get: () => (isLiveHere ? session : undefined),
    has: () => isLiveHere,
  } as unknown as ConstructorParameters<typeof RoutedPictures>[0]['live'] & { has(): boolean };
  let handler:
    | ((request: { sessionId: string; change: PictureChange }) => Promise<boolean>)
    | null = null;
  const bus = {
    self: 'node-a',
    request: (node: string, name: string, request: unknown) => {
      asked.push([node, name, request]);
      return answer();
    },
    onRequest: (_name: string, run: typeof handler) => (handler = run),
    onNotice: () => {},
  } as unknown as ClusterBus<SessionRequests, SessionNotices>;
  const ownership = { ownerOf: async () => owner };
  const owners = new OwnerLookup({ live, bus, ownership, clock: new TestClock() });
  const own = new OwnPictures({ live, records });
  const pictures = new RoutedPictures({ pictures: own, live, records, owners, bus });
  const change = () => pictures.change('account-1', 'session-1', CHANGE);
  return {
    change,
    changed,
    asked,
    hear: () => handler!({ sessionId: 'session-1', change: CHANGE }),
  };
}

describe('changing the picture of a session', () => {
  test('happens here if this control plane owns it', async () => {
    const { change, changed, asked } = picturesWith({ owner: 'node-a', isLiveHere: true });

    await expect(change()).resolves.toMatchObject({ id: 'session-1' });

    expect(changed).toEqual([CHANGE]);
    expect(asked).toEqual([]);
  });

  test('is asked of the control plane that owns it', async () => {
    const { change, asked } = picturesWith({ owner: 'node-b' });

    await expect(change()).resolves.toMatchObject({ id: 'session-1' });

    const request = { sessionId: 'session-1', change: CHANGE };
    expect(asked).toEqual([['node-b', 'change_picture', request]]);
  });

  test('is done for another control plane, which learns whether the session was here', async () => {
    const owner = picturesWith({ owner: 'node-a', isLiveHere: true });
    const former = picturesWith({ owner: 'node-b' });

    expect(await owner.hear()).toBe(true);
    expect(await former.hear()).toBe(false);
    expect(owner.changed).toEqual([CHANGE]);
  });

  test.each<[string, Place]>([
    ['nobody owns it', { owner: null }],
    [
      'its owner is gone',
      { owner: 'node-b', answer: () => Promise.reject(new NodeGone('node-b')) },
    ],
    ['its owner has just given it up', { owner: 'node-b', answer: async () => false }],
  ])('fails with at_capacity while %s', async (_what, place) => {
    await expect(picturesWith(place).change()).rejects.toMatchObject({ fault: 'at_capacity' });
  });

  test('passes on any other error', async () => {
    const pictures = picturesWith({
      owner: 'node-b',
      answer: () => Promise.reject(new Error('the records are away')),
    });

    await expect(pictures.change()).rejects.toThrow('away');
  });
});
