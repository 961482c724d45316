/* The shadow tree: built once, then kept equal to the state of the call. */
import type { Room } from 'livekit-client';
import {
  agentOf,
  isBlind,
  isInCall,
  lastSentence,
  looksAtCamera,
  type CallState,
} from '../../call/state/call-state.ts';
import { Controls, type ControlActions } from '../../call/view/controls.ts';
import { Conversation, problemsOf } from '../../call/view/conversation.ts';
import { element, setText } from '../../call/view/dom.ts';
import { PlaceInLine } from '../../call/view/place-in-line.ts';
import { Stage } from '../../call/view/stage.ts';
import type { CallWords } from '../../call/words/call-words.ts';
import { wordsCard, type CardActions } from './words-card.ts';

type Actions = CardActions &
  Omit<ControlActions, 'toggle'> & { say: (text: string) => void; allowSound: () => void };

export class AgentView {
  readonly node: HTMLElement;
  readonly stage: Stage;
  /** Whether a visitor may turn on the camera of a call whose agent does not look at it. */
  hasCamera = false;
  readonly #words: CallWords;
  readonly #actions: Actions;
  readonly #controls: Controls;
  readonly #conversation: Conversation;
  readonly #waiting = element('p');
  readonly #place: PlaceInLine;
  readonly #card = element('div', { class: 'card', part: 'card' });
  readonly #sentence = element('p', { class: 'unseen', 'aria-live': 'polite' });
  #state: CallState | null = null;
  #isChatOpen = false;

  constructor(words: CallWords, actions: Actions) {
    this.#words = words;
    this.#actions = actions;
    this.#controls = new Controls(
      words,
      { ...actions, toggle: () => this.#toggleChat() },
      {
        toggle: { name: 'chat', icon: CHAT_ICON, label: words.chat, isEarly: true },
        leaveLabel: (isLive) => (isLive ? words.endCall : words.cancel),
      },
    );
    this.#place = new PlaceInLine(words);
    this.stage = new Stage(words, {
      allowSound: actions.allowSound,
      waiting: element('div', { class: 'waiting' }, this.#waiting, this.#place.node),
      controls: this.#controls.node,
      heading: 'h2',
    });
    this.#conversation = new Conversation(words, {
      say: actions.say,
      hint: ({ hears }, name) =>
        hears === false ? words.cannotHear(name) : words.conversationHint,
      notices: (state, name) => (isBlind(state) ? [words.cannotSee(name)] : []),
    });
    const closeChat = (event: Event) => {
      if ((event as KeyboardEvent).key === 'Escape' && this.#isChatOpen) this.#toggleChat();
    };
    this.#conversation.node.addEventListener('keydown', closeChat);
    this.node = element(
      'section',
      { class: 'frame', part: 'frame', tabindex: '-1', lang: words.language },
      this.stage.node,
      this.#conversation.node,
      this.#card,
      this.#sentence,
    );
  }

  show(state: CallState, room: Room | null): void {
    const previous = this.#state;
    this.#state = state;
    const words = this.#words;
    const { phase } = state;
    const agent = agentOf(phase);
    const isCalling = isInCall(phase);
    const isLive = phase.type === 'live';
    const focused = (this.node.getRootNode() as ShadowRoot).activeElement;

    this.node.setAttribute('aria-label', agent ? words.callWith(agent.name) : words.call);
    // A call needs its media elements drawn.
    this.node.toggleAttribute('data-picture', isCalling || Boolean(agent?.picture));
    if (previous?.phase !== phase)
      this.#card.replaceChildren(...wordsCard(words, phase, state.lines, this.#actions));
    if (!isCalling) this.#isChatOpen = false;
    // Also what keeps a visitor from speaking is shown in the conversation.
    if (previous && problemsOf(words, state).length > problemsOf(words, previous).length)
      this.#isChatOpen = true;
    if (previous?.hears !== false && state.hears === false) this.#isChatOpen = true;
    const hasBegun = isCalling && !(previous && isInCall(previous.phase));
    if (hasBegun && agent?.hears === false) this.#isChatOpen = true;
    this.stage.show(state, room);
    const { linesBusy, afterTitle, connectedWhenFree } = words;
    const hasPlace = this.#place.show(phase);
    setText(this.#waiting, linesBusy + afterTitle + (hasPlace ? '' : connectedWhenFree));
    this.#conversation.node.hidden = !isCalling || !this.#isChatOpen;
    this.#conversation.show(state);
    this.#controls.node.hidden = !isCalling;
    this.#showControls();
    this.#sentence.lang = agent?.language ?? '';
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
    const hasCamera = this.hasCamera || looksAtCamera(this.#state);
    this.#controls.show(this.#state, { hasCamera, isExpanded });
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

const isShown = (element: Element): boolean => element.isConnected && element.checkVisibility();
