import type { Room } from 'livekit-client';
import { looksAtCamera, type CallState } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';
import { element, setText } from './dom.ts';

/** The picture of the visitor's camera while it is on, with a sign while the agent can see it. */
export class OwnPicture {
  readonly node: HTMLElement;
  readonly #words: CallWords;
  readonly #video = element('video', { playsinline: '' });
  readonly #sign = element('figcaption', { class: 'own-picture-sign' });

  constructor(words: CallWords) {
    this.#words = words;
    // As a property: an attribute set by a script does not mute.
    this.#video.muted = true;
    this.#video.autoplay = true;
    this.#video.setAttribute('aria-label', words.you);
    this.node = element('figure', { class: 'own-picture' }, this.#video, this.#sign);
  }

  show(state: CallState, room: Room | null): void {
    const { phase, devices } = state;
    const isOn = phase.type === 'live' && devices.camera.isOn;
    this.node.hidden = !isOn;
    if (!isOn) return;
    this.#sign.hidden = !looksAtCamera(state);
    setText(this.#sign, this.#words.canSee(phase.agent.name));
    if (!this.#video.paused) return;
    const [camera] = room?.localParticipant.videoTrackPublications.values() ?? [];
    camera?.track?.attach(this.#video);
  }
}
