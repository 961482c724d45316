/* The stage of a call, built once and kept equal to its state: the agent, captions and controls. */
import type { Room } from 'livekit-client';
import { fitPicture } from '../picture/picture-fit.ts';
import { agentOf, isInCall, type CallState } from '../state/call-state.ts';
import { statusText } from '../texts/status-text.ts';
import type { CallWords } from '../words/call-words.ts';
import { ActivitySign } from './activity-sign.ts';
import { logoOf } from './brand.ts';
import { button } from './button.ts';
import { Caption } from './caption.ts';
import { element, setText, showPicture } from './dom.ts';
import { OwnPicture } from './own-picture.ts';
import { title } from './title.ts';

type Parts = {
  allowSound: () => void;
  /** Shown while every avatar is busy. */
  waiting: HTMLElement;
  controls: HTMLElement;
  /** Level of the heading with the agent's name. */
  heading: 'h1' | 'h2';
  /** Buttons beside the status. */
  tools?: Node[];
};

export class Stage {
  readonly node: HTMLElement;
  readonly video = element('video', { class: 'stage-video', part: 'video', playsinline: '' });
  readonly audio = element('audio');
  /** Follows the video, so that its style can. */
  readonly canvas = element('canvas', {
    class: 'stage-keyed',
    part: 'keyed',
    'aria-hidden': 'true',
  });
  readonly #words: CallWords;
  readonly #parts: Parts;
  readonly #pictures = [
    element('img', { class: 'stage-around', part: 'around', alt: '' }),
    element('img', { class: 'stage-poster', part: 'picture', alt: '' }),
  ];
  readonly #ownPicture: OwnPicture;
  readonly #top = element('div', { class: 'stage-top' });
  readonly #status = element('p', { class: 'status', part: 'status', role: 'status' });
  readonly #activity: ActivitySign;
  readonly #sound: HTMLButtonElement;
  readonly #caption = new Caption();
  readonly #endFit: () => void;

  constructor(words: CallWords, parts: Parts) {
    this.#words = words;
    this.#parts = parts;
    this.#ownPicture = new OwnPicture(words);
    this.#activity = new ActivitySign(words);
    // As a property: an attribute set by a script does not mute.
    this.video.muted = true;
    for (const media of [this.video, this.audio]) media.autoplay = true;
    this.#sound = button(words.turnOnSound, parts.allowSound);
    this.#sound.classList.add('button-lit', 'stage-sound');
    this.node = element(
      'div',
      { class: 'stage', part: 'stage' },
      ...this.#pictures,
      this.video,
      this.canvas,
      this.audio,
      this.#top,
      this.#activity.announcement,
      this.#sound,
      this.#caption.node,
      this.#ownPicture.node,
      parts.controls,
    );
    this.#endFit = fitPicture(this.node, this.video, this.canvas);
  }

  show(state: CallState, room: Room | null): void {
    const { phase } = state;
    const agent = agentOf(phase);
    const isLive = phase.type === 'live';
    const isHere = isLive && phase.presence === 'here';
    const words = this.#words;
    this.node.dataset['phase'] = phase.type;
    for (const picture of this.#pictures) showPicture(picture, agent?.picture);
    this.video.setAttribute('aria-label', agent ? words.videoOf(agent.name) : words.noVideo);
    this.video.dataset['shown'] = String(isLive);
    this.video.dataset['away'] = String(isLive && !isHere);
    if (!agent || !isInCall(phase)) this.#top.replaceChildren();
    else if (!this.#top.firstChild) {
      const head = title(this.#parts.heading, agent.name, agent.hasAiLabel ? words.aiLabel : null);
      head.prepend(...logoOf(agent));
      const signs = element('div', { class: 'stage-signs' }, this.#status, this.#activity.sign);
      signs.append(...(this.#parts.tools ?? []));
      this.#top.append(head, signs);
    }
    this.#status.dataset['lit'] = String(isHere);
    setText(this.#status, statusText(words, state));
    // In its place: an agent that listens or thinks is live.
    this.#status.classList.toggle('unseen', this.#activity.show(state));
    this.#showWaiting(phase.type === 'waiting');
    this.#sound.hidden = !isLive || !state.isSoundBlocked;
    this.#caption.show(state);
    this.#ownPicture.show(state, room);
  }

  close(): void {
    this.#endFit();
    this.#activity.close();
    this.#caption.close();
  }

  #showWaiting(isWaiting: boolean): void {
    const { waiting } = this.#parts;
    if (!isWaiting) waiting.remove();
    // Not again: a moved button loses its focus.
    else if (!waiting.isConnected) this.#top.after(waiting);
  }
}
