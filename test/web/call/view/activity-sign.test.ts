import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  initialState,
  type Activity,
  type CallState,
  type Presence,
} from '../../../../src/web/call/state/call-state.ts';
import { ActivitySign } from '../../../../src/web/call/view/activity-sign.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { stubDocument } from '../../../support/fake-document.ts';
import { SHOWN_AGENT as agent } from '../../../support/pages/shown-agent.ts';

let sign: ActivitySign;
beforeEach(() => {
  vi.useFakeTimers();
  stubDocument();
  sign = new ActivitySign(words);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stateWith = (
  activity: Activity | null,
  { isOn = true, presence = 'here' }: { isOn?: boolean; presence?: Presence } = {},
): CallState => ({
  ...initialState,
  activity,
  phase: { type: 'live', agent, presence },
  devices: { ...initialState.devices, microphone: { isOn, problem: null } },
});
const show = (...given: Parameters<typeof stateWith>) => {
  const isShown = sign.show(stateWith(...given));
  return isShown ? sign.sign.textContent : null;
};

describe('the sign of a silent agent', () => {
  test('says that it listens or thinks', () => {
    expect(show('listening')).toBe('Listening');
    expect(show('thinking')).toBe('Thinking');
  });

  test.each([
    ['speaks', 'speaking', {}],
    ['says nothing about itself', null, {}],
    ['listens while the microphone is off', 'listening', { isOn: false }],
    ['is being recovered', 'thinking', { presence: 'away' }],
  ] as const)('is absent while it %s', (_, activity, given) => {
    show('thinking');

    expect(show(activity, given)).toBeNull();
    expect(sign.sign.hidden).toBe(true);
  });

  test('announces long thoughts only', () => {
    show('thinking');
    show('speaking');
    vi.runAllTimers();
    expect(sign.announcement.textContent).toBe('');

    show('thinking');
    show('thinking');
    vi.runAllTimers();
    expect(sign.announcement.textContent).toBe('Mira is thinking.');

    show('listening');
    expect(sign.announcement.textContent).toBe('');
  });
});
