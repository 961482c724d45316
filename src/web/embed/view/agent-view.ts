/* The shadow tree: built once, then kept equal to the state of the call. */
import type { Room } from 'livekit-client';
import { agentOf, isInCall, lastSentence, type CallState } from '../../call/state/call-state.ts';
import { deafText } from '../../call/texts/talk-texts.ts';
import { Controls, type ControlActions } from '../../call/view/controls.ts';
import { Conversation, problemsOf } from '../../call/view/conversation.ts';
import { element, setText } from '../../call/view/dom.ts';
import { Stage } from '../../call/view/stage.ts';
import { wordsCard, type CardActions } from './words-card.ts';

type Actions = CardActions &
  Omit<ControlActions, 'toggle'> & { say: (text: string) => void; allowSound: () => void };

export class AgentView {
  readonly node: HTMLElement;
  readonly stage: Stage;
  /** Whether a visitor may turn on the camera. */
  hasCamera = false;
  readonly #actions: Actions;
  readonly #controls: Controls;
  readonly #conversation: Conversation;
  readonly #card = element('div', { class: 'card', part: 'card' });
  readonly #sentence = element('p', { class: 'unseen', 'aria-live': 'polite' });
  #state: CallState | null = null;
  #isChatOpen = false;

  constructor(actions: Actions) {
    this.#actions = actions;
    this.#controls = new Controls(
      { ...actions, toggle: () => this.#toggleChat() },
      {
        toggle: { name: 'chat', icon: CHAT_ICON, label: 'Chat', isEarly: true },
        leaveLabel: (isLive) => (isLive ? 'End call' : 'Cancel'),
      },
    );
    this.stage = new Stage({
      allowSound: actions.allowSound,
      waiting: element('p', { class: 'waiting' }, WAITING),
      controls: this.#controls.node,
      heading: 'h2',
    });
    this.#conversation = new Conversation({ say: actions.say, hint: hintOf });
    const closeChat = (event: Event) => {
      if ((event as KeyboardEvent).key === 'Escape' && this.#isChatOpen) this.#toggleChat();
    };
    this.#conversation.node.addEventListener('keydown', closeChat);
    this.node = element(
      'section',
      { class: 'frame', part: 'frame', tabindex: '-1' },
      this.stage.node,
      this.#conversation.node,
      this.#card,
      this.#sentence,
    );
  }

  show(state: CallState, room: Room | null): void {
    const previous = this.#state;
    this.#state = state;
    const { phase } = state;
    const agent = agentOf(phase);
    const isCalling = isInCall(phase);
    const isLive = phase.type === 'live';
    const focused = (this.node.getRootNode() as ShadowRoot).activeElement;

    this.node.setAttribute('aria-label', agent ? `Call with ${agent.name}` : 'Call');
    // A call needs its media elements drawn.
    this.node.toggleAttribute('data-picture', isCalling || Boolean(agent?.picture));
    if (previous?.phase !== phase)
      this.#card.replaceChildren(...wordsCard(phase, state.lines, this.#actions));
    if (!isCalling) this.#isChatOpen = false;
    // Also what keeps a visitor from speaking is shown in the conversation.
    if (previous && problemsOf(state).length > problemsOf(previous).length) this.#isChatOpen = true;
    if (previous?.hears !== false && state.hears === false) this.#isChatOpen = true;
    const hasBegun = isCalling && !(previous && isInCall(previous.phase));
    if (hasBegun && agent?.hears === false) this.#isChatOpen = true;
    this.stage.show(state, room);
    this.#conversation.node.hidden = !isCalling || !this.#isChatOpen;
    this.#conversation.show(state);
    this.#controls.node.hidden = !isCalling;
    this.#showControls();
    setText(this.#sentence, isLive ? lastSentence(state) : '');
    // The pressed button is gone, so the focus moves to the new view.
    if (focused && !isShown(focused)) this.node.focus();
  }

  close(): void {
    this.stage.close();
  }

  #showControls(): void {
    if (!this.#state) return;
    const isExpanded = this.#isChatOpen;
    this.#controls.show(this.#state, { hasCamera: this.hasCamera, isExpanded });
    this.node.toggleAttribute('data-chat', isExpanded);
  }

  #toggleChat(): void {
    this.#isChatOpen = !this.#isChatOpen;
    this.#conversation.node.hidden = !this.#isChatOpen;
    this.#showControls();
    if (this.#isChatOpen) this.#conversation.focus();
    else this.#controls.toggle.button.focus();
  }
}

const CHAT_ICON =
  'M5 5.5h14a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8L6.5 20v-3.5H5A1.5 1.5 0 0 1 3.5 15V7A1.5 1.5 0 0 1 5 5.5ZM8 9.5h8M8 12.5h5';

const WAITING = 'All lines are busy. You will be connected as soon as a line is free.';

const hintOf = ({ hears }: CallState, name: string): string =>
  hears === false ? deafText(name) : 'The conversation appears here.';

const isShown = (element: Element): boolean => element.isConnected && element.checkVisibility();
