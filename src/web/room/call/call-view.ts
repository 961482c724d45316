/* The call on the room page: the stage with its controls, and the conversation beside it. */
import './controls.css';
import './conversation.css';
import './stage.css';
import { isBlind, isInCall, looksAtCamera } from '../../call/state/call-state.ts';
import type { VisitorCall } from '../../call/state/visitor-call.ts';
import { Controls } from '../../call/view/controls.ts';
import { Conversation } from '../../call/view/conversation.ts';
import { element } from '../../call/view/dom.ts';
import { Stage } from '../../call/view/stage.ts';
import { isPushToTalk, PushToTalkSwitch } from '../push-to-talk-switch.ts';
import type { RoomWords } from '../words/room-words.ts';
import { Captions } from './captions.ts';
import { DeviceMenus } from './device-menus.ts';
import { Dictation } from './dictation.ts';
import { FullScreen } from './full-screen.ts';
import { MicrophoneLevel } from './microphone-level.ts';
import { PushToTalk } from './push-to-talk.ts';
import { WaitingCard } from './waiting-card.ts';

const DEVICES_ICON =
  'M4 7h9M17.5 7H20M4 12h2.5M11 12h9M4 17h9M17.5 17H20M13 7a2.2 2.2 0 1 0 4.5 0A2.2 2.2 0 0 0 13 7ZM6.5 12a2.2 2.2 0 1 0 4.5 0 2.2 2.2 0 0 0-4.5 0ZM13 17a2.2 2.2 0 1 0 4.5 0 2.2 2.2 0 0 0-4.5 0Z';

export class CallView {
  readonly node = element('div', { class: 'call' });
  readonly stage: Stage;
  readonly #call: VisitorCall;
  readonly #waiting: WaitingCard;
  readonly #menus: DeviceMenus;
  readonly #fullScreen: FullScreen;
  readonly #pushToTalkSwitch: PushToTalkSwitch;
  readonly #pushToTalk: PushToTalk;
  readonly #controls: Controls;
  readonly #controlsPlace: HTMLElement;
  readonly #level: MicrophoneLevel;
  readonly #dictation: Dictation;
  readonly #conversation: Conversation;

  constructor(words: RoomWords, call: VisitorCall) {
    this.#call = call;
    this.#waiting = new WaitingCard(words, () => void call.leave());
    const captions = new Captions(words, () => this.stage.node);
    this.#fullScreen = new FullScreen(words, () => this.stage.node);
    this.#pushToTalkSwitch = new PushToTalkSwitch(words, () => this.show());
    this.#menus = new DeviceMenus(words, () => this.show(), [
      captions.sizeMenu,
      this.#pushToTalkSwitch.node,
    ]);
    this.#controls = new Controls(
      words,
      {
        turn: (kind, isOn) => {
          // A click would leave it on.
          if (kind !== 'microphone' || !isPushToTalk()) call.turn(kind, isOn);
        },
        leave: () => void call.leave(),
        toggle: () => this.#toggleMenus(),
      },
      {
        toggle: { name: 'devices', icon: DEVICES_ICON, label: words.settings, isEarly: false },
        leaveLabel: () => words.leave,
      },
    );
    this.#pushToTalk = new PushToTalk(words, this.#controls.microphone.button, (isOn) =>
      call.turn('microphone', isOn),
    );
    this.#level = new MicrophoneLevel(this.#controls.microphone.button);
    this.#controls.toggle.button.setAttribute('aria-controls', this.#menus.node.id);
    const closeMenus = (event: Event) => {
      if ((event as KeyboardEvent).key !== 'Escape' || !this.#menus.isOpen) return;
      this.#toggleMenus();
      this.#controls.toggle.button.focus();
    };
    const place = { class: 'controls-place', keydown: closeMenus };
    // The menus stand above the controls, but follow them in the order of the Tab key.
    this.#controlsPlace = element('div', place, this.#controls.node, this.#menus.node);
    this.stage = new Stage(words, {
      allowSound: call.allowSound,
      waiting: this.#waiting.node,
      controls: this.#controlsPlace,
      heading: 'h1',
      tools: [captions.tool.button, this.#fullScreen.tool.button],
    });
    captions.show();
    this.#dictation = new Dictation(words, {
      onText: (text) => (this.#conversation.draft = text),
      say: call.say,
    });
    this.#conversation = new Conversation(words, {
      say: call.say,
      hint: () => words.conversationHint,
      notices: (state, name) => [
        ...(state.hears === false ? [words.cannotHearNow(name)] : []),
        ...(isBlind(state) ? [words.cannotSee(name)] : []),
      ],
      tools: this.#dictation.nodes,
    });
    this.node.append(this.stage.node);
  }

  show(): void {
    const { state, room } = this.#call;
    const { phase } = state;
    const isCalling = isInCall(phase);
    this.#showConversation(isCalling);
    this.node.hidden = !isCalling;
    if (!isCalling) this.#fullScreen.leave();
    this.stage.show(state, room);
    this.#waiting.show(phase);
    this.#controlsPlace.hidden = phase.type === 'waiting';
    this.#pushToTalk.show(state);
    this.#pushToTalkSwitch.show();
    this.#pushToTalkSwitch.node.hidden = state.hears === false;
    this.#controls.show(state, {
      hasCamera: looksAtCamera(state),
      isExpanded: this.#menus.isOpen,
      microphoneLabel: this.#pushToTalk.labelOf(state),
    });
    this.#menus.show(state, room);
    this.#level.show(state, room);
    this.#dictation.show(state);
    this.#conversation.show(state);
  }

  #toggleMenus(): void {
    this.#menus.isOpen = !this.#menus.isOpen;
    this.show();
  }

  /** Its lines begin empty in each call. */
  #showConversation(isCalling: boolean): void {
    const { node } = this.#conversation;
    const isShown = node.parentNode !== null;
    if (isCalling && !isShown) this.node.append(node);
    if (isCalling || !isShown) return;
    this.#dictation.close();
    node.remove();
  }
}
