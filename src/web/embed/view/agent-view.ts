/* The shadow tree: built once, then kept equal to the state of the call. */
import type { Room } from 'livekit-client';
import type { Stage } from '../../call/picture/avatar-view.ts';
import type { Agent } from '../../call/connection/chat-service.ts';
import { isInCall, type RoomState } from '../../call/state/call-state.ts';
import { statusWords } from '../../call/texts/stage-texts.ts';
import { Caption } from '../../call/view/caption.ts';
import { Controls, type ControlActions } from '../../call/view/controls.ts';
import { Conversation, problemsOf } from '../../call/view/conversation.ts';
import { element, setText } from '../../call/view/dom.ts';
import { title, wordsCard, type CardActions } from './words-card.ts';

type Actions = CardActions &
  Omit<ControlActions, 'chat'> & { say: (text: string) => void; allowSound: () => void };

export class AgentView {
  readonly node: HTMLElement;
  readonly stage: Stage;
  /** Whether a visitor may turn on the camera. */
  hasCamera = false;
  readonly #actions: Actions;
  readonly #pictures = ['around', 'picture'].map((name) =>
    element('img', { class: name, part: name, alt: '' }),
  );
  readonly #own = element('video', { class: 'own', 'aria-label': 'You', playsinline: true });
  readonly #top = element('div', { class: 'top' });
  readonly #status = element('p', { class: 'status', part: 'status', role: 'status' });
  readonly #waiting = element('p', { class: 'waiting' }, WAITING);
  readonly #sound: HTMLButtonElement;
  readonly #caption = new Caption();
  readonly #controls: Controls;
  readonly #conversation: Conversation;
  readonly #card = element('div', { class: 'card', part: 'card' });
  readonly #spoken = element('p', { class: 'unseen', 'aria-live': 'polite' });
  #shown: RoomState | null = null;
  #isChatOpen = false;

  constructor(actions: Actions) {
    this.#actions = actions;
    this.stage = {
      video: element('video', { part: 'video', playsinline: true }),
      audio: element('audio'),
    };
    // As properties: attributes set by a script do not mute.
    for (const video of [this.stage.video, this.#own]) video.muted = true;
    for (const media of [this.stage.video, this.stage.audio, this.#own]) media.autoplay = true;
    this.#sound = element(
      'button',
      {
        type: 'button',
        class: 'button button-lit sound',
        part: 'button',
        click: actions.allowSound,
      },
      'Turn on sound',
    );
    this.#controls = new Controls({ ...actions, chat: () => this.#toggleChat() });
    this.#conversation = new Conversation(actions.say);
    const stage = element(
      'div',
      { class: 'stage', part: 'stage' },
      ...this.#pictures,
      this.stage.video,
      this.stage.audio,
      this.#top,
      this.#waiting,
      this.#sound,
      this.#caption.node,
      this.#own,
      this.#controls.node,
    );
    const closeChat = (event: Event) => {
      if ((event as KeyboardEvent).key === 'Escape' && this.#isChatOpen) this.#toggleChat();
    };
    this.#conversation.node.addEventListener('keydown', closeChat);
    this.node = element(
      'section',
      { class: 'frame', part: 'frame', tabindex: '-1' },
      stage,
      this.#conversation.node,
      this.#card,
      this.#spoken,
    );
  }

  show(state: RoomState, room: Room | null): void {
    const before = this.#shown;
    this.#shown = state;
    const { phase } = state;
    const agent = phase.type === 'looking' ? null : phase.agent;
    const isLive = phase.type === 'live';
    const focused = (this.node.getRootNode() as ShadowRoot).activeElement;

    this.node.dataset['view'] = phase.type;
    this.node.setAttribute('aria-label', agent ? `Call with ${agent.name}` : 'Call');
    if (before === null || before.phase !== phase) this.#showPhase(state, agent);
    // Also what keeps a visitor from speaking is shown in the conversation.
    if (before && problemsOf(state).length > problemsOf(before).length) this.#isChatOpen = true;
    if (before?.hears !== false && state.hears === false) this.#isChatOpen = true;
    this.stage.video.dataset['shown'] = String(isLive);
    this.stage.video.dataset['away'] = String(isLive && phase.presence !== 'here');
    this.#sound.hidden = !isLive || !state.isSoundBlocked;
    this.#waiting.hidden = phase.type !== 'waiting';
    this.#caption.show(state);
    this.#showOwn(state, room);
    this.#conversation.node.hidden = !isLive || !this.#isChatOpen;
    this.#conversation.show(state);
    this.#showControls();
    const sentence = state.lines.findLast(({ sender, isFinal }) => sender === 'ai' && isFinal);
    setText(this.#spoken, isLive ? (sentence?.text ?? '') : '');
    // The pressed button is gone, so the focus moves to the new view.
    if (focused && !isShown(focused)) this.node.focus();
  }

  close(): void {
    this.#caption.close();
  }

  #showPhase({ phase, lines }: RoomState, agent: Agent | null): void {
    this.#card.replaceChildren(...wordsCard(phase, lines, this.#actions));
    const isCalling = isInCall(phase);
    if (!isCalling) this.#isChatOpen = false;
    const isHere = phase.type === 'live' && phase.presence === 'here';
    this.#status.dataset['lit'] = String(isHere);
    setText(this.#status, statusWords({ phase }));
    this.#top.hidden = !isCalling;
    if (!this.#top.firstChild && agent) {
      this.#top.append(title(agent.name, agent.hasAiLabel), this.#status);
    }
    // A call needs its media elements drawn.
    this.node.toggleAttribute('data-picture', isCalling || Boolean(agent?.picture));
    for (const picture of this.#pictures) {
      picture.hidden = !agent?.picture;
      if (agent?.picture && picture.src !== agent.picture) picture.src = agent.picture;
    }
    this.stage.video.setAttribute('aria-label', agent ? `Video of ${agent.name}` : 'No video yet');
  }

  #showOwn({ devices }: RoomState, room: Room | null): void {
    this.#own.hidden = !devices.camera.isOn;
    if (!devices.camera.isOn || !this.#own.paused) return;
    const [camera] = room?.localParticipant.videoTrackPublications.values() ?? [];
    camera?.track?.attach(this.#own);
  }

  #showControls(): void {
    if (!this.#shown) return;
    const shown = { hasCamera: this.hasCamera, isChatOpen: this.#isChatOpen };
    this.#controls.show(this.#shown, shown);
    this.node.toggleAttribute('data-chat', this.#isChatOpen);
  }

  #toggleChat(): void {
    this.#isChatOpen = !this.#isChatOpen;
    this.#conversation.node.hidden = !this.#isChatOpen;
    this.#showControls();
    if (this.#isChatOpen) this.#conversation.focus();
    else this.#controls.chatButton.focus();
  }
}

const WAITING = 'All lines are busy. You will be connected as soon as a line is free.';

const isShown = (element: Element): boolean => element.isConnected && element.checkVisibility();
