import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { initialState, type CallState } from '../../../../src/web/call/state/call-state.ts';
import { PushToTalk } from '../../../../src/web/room/call/push-to-talk.ts';
import { isPushToTalk, PushToTalkSwitch } from '../../../../src/web/room/push-to-talk-switch.ts';
import { words } from '../../../../src/web/room/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';
import { SHOWN_AGENT as agent } from '../../../support/pages/shown-agent.ts';

let page: EventTarget;
let turned: boolean[];
let button: FakeElement;
let pushToTalk: PushToTalk;

beforeEach(() => {
  stubDocument();
  page = Object.assign(new EventTarget(), document);
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  turned = [];
  button = Object.assign(new FakeElement(), { setPointerCapture: () => {} });
  pushToTalk = new PushToTalk(words, button as unknown as HTMLElement, (isOn) => turned.push(isOn));
  choose(true);
  show(false);
});
afterEach(() => {
  choose(false);
  vi.unstubAllGlobals();
});

function choose(isOn: boolean): void {
  const { node } = new PushToTalkSwitch(words, () => {});
  const [input] = (node as unknown as FakeElement).children as [FakeElement];
  Object.assign(input, { checked: isOn }).dispatchEvent(new Event('change'));
}

const live: CallState = { ...initialState, phase: { type: 'live', agent, presence: 'here' } };
const withMicrophone = (isOn: boolean): CallState => ({
  ...live,
  devices: { ...live.devices, microphone: { isOn, problem: null } },
});
const show = (isOn: boolean) => pushToTalk.show(withMicrophone(isOn));
const label = (isOn: boolean) => pushToTalk.labelOf(withMicrophone(isOn));

/** `focused`: the name of the element with the focus, or the button. */
function key(
  type: string,
  code: string,
  focused: string | FakeElement = 'main',
  repeat = false,
): Event {
  const target =
    typeof focused === 'string'
      ? { closest: (names: string) => names.split(', ').includes(focused) }
      : Object.assign(focused, { closest: () => true });
  const event = Object.assign(new Event(type, { cancelable: true }), { code, repeat });
  Object.defineProperty(event, 'target', { value: target });
  page.dispatchEvent(event);
  return event;
}
const pointer = (type: string, mouseButton = 0) =>
  button.dispatchEvent(Object.assign(new Event(type), { button: mouseButton, pointerId: 1 }));

describe('push-to-talk', () => {
  test('turns the microphone on while the space bar is held', () => {
    const press = key('keydown', 'Space');
    expect([turned, press.defaultPrevented]).toEqual([[true], true]);

    key('keydown', 'Space', 'main', true);
    key('keyup', 'Space');

    expect(turned).toEqual([true, false]);
  });

  test.each(['input', 'button', 'textarea'])('leaves the space bar to a focused %s', (focused) => {
    expect(key('keydown', 'Space', focused).defaultPrevented).toBe(false);
    expect(turned).toEqual([]);
  });

  test('turns the microphone on while its button is held, by the pointer', () => {
    pointer('pointerdown', 2);
    expect(turned).toEqual([]);

    pointer('pointerdown');
    pointer('pointerup');
    pointer('lostpointercapture');

    expect(turned).toEqual([true, false]);
  });

  test.each(['Space', 'Enter'])(
    'turns the microphone on while its button is held, by %s',
    (code) => {
      key('keydown', code, button);
      key('keyup', code, button);

      expect(turned).toEqual([true, false]);
    },
  );

  test.each([
    ['the window loses the keyboard', () => window.dispatchEvent(new Event('blur'))],
    ['the page is hidden', () => page.dispatchEvent(new Event('visibilitychange'))],
    ['the browser takes the pointer', () => pointer('pointercancel')],
  ])('mutes when %s', (_, happen) => {
    pointer('pointerdown');

    happen();

    expect(turned).toEqual([true, false]);
  });

  test('says that a person is heard only while the microphone is on', () => {
    expect(label(false)).toBe('Hold to talk');

    key('keydown', 'Space');
    show(false);
    expect([label(false), button.attributes.get('data-talking')]).toEqual([
      'Hold to talk',
      'false',
    ]);

    show(true);
    expect([label(true), button.attributes.get('data-talking')]).toEqual(['You are heard', 'true']);
  });

  test('mutes a microphone that was on before', () => {
    show(true);

    expect(turned).toEqual([false]);
  });

  test('does nothing for an agent that only reads, before the call, and when it is not chosen', () => {
    pushToTalk.show({ ...withMicrophone(true), hears: false });
    key('keydown', 'Space');
    pushToTalk.show({ ...live, phase: { type: 'lobby', agent } });
    key('keydown', 'Space');
    choose(false);
    show(true);
    key('keydown', 'Space');

    expect(turned).toEqual([]);
    expect([isPushToTalk(), pushToTalk.labelOf(live)]).toEqual([false, null]);
  });
});
