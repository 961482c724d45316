import type { Room } from 'livekit-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialState, type CallState } from '../../../../src/web/call/state/call-state.ts';
import { OwnPicture } from '../../../../src/web/call/view/own-picture.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';
import { SHOWN_AGENT } from '../../../support/pages/shown-agent.ts';

beforeEach(stubDocument);
afterEach(() => vi.unstubAllGlobals());

function show(facts: { sees: boolean; isOn: boolean; seesNow?: boolean }) {
  const { sees, isOn, seesNow = true } = facts;
  const picture = new OwnPicture(words);
  const node = picture.node as unknown as FakeElement;
  const [video, sign] = node.children as [FakeElement & { paused: boolean }, FakeElement];
  video.paused = true;
  const attach = vi.fn<() => void>();
  const videoTrackPublications = new Map([['', { track: { attach } }]]);
  const room = { localParticipant: { videoTrackPublications } } as unknown as Room;
  const { devices } = initialState;
  const state: CallState = {
    ...initialState,
    phase: { type: 'live', agent: { ...SHOWN_AGENT, sees }, presence: 'here' },
    devices: { ...devices, camera: { isOn, problem: null } },
    sees: seesNow,
  };
  picture.show(state, room);
  return { node, sign, attach };
}

test('a camera that is on is shown, with a sign that the agent sees it', () => {
  const { node, sign, attach } = show({ sees: true, isOn: true });

  expect([node.hidden, sign.hidden]).toEqual([false, false]);
  expect(sign.textContent).toBe(`${SHOWN_AGENT.name} can see you`);
  expect(attach).toHaveBeenCalledOnce();
});

test('an agent that does not look at the camera has no sign', () => {
  expect(show({ sees: false, isOn: true }).sign.hidden).toBe(true);
  expect(show({ sees: true, isOn: true, seesNow: false }).sign.hidden).toBe(true);
});

test('a camera that is off is not shown', () => {
  const { node, attach } = show({ sees: true, isOn: false });

  expect(node.hidden).toBe(true);
  expect(attach).not.toHaveBeenCalled();
});
