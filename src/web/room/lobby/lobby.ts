import './lobby.css';
import type { Agent } from '../../call/connection/chat-service.ts';
import type { JoinRequest } from '../../call/connection/join-request.ts';
import { logoOf } from '../../call/view/brand.ts';
import { element, setText } from '../../call/view/dom.ts';
import { title } from '../../call/view/title.ts';
import type { RoomWords } from '../words/room-words.ts';
import { CameraChoice } from './camera-choice.ts';
import { MicrophoneChoice } from './microphone-choice.ts';
import { wayTexts, wayToTalk, type WayToTalk } from './ways-to-talk.ts';

export class Lobby {
  readonly node: HTMLElement;
  readonly #words: RoomWords;
  readonly #lede = element('p', { class: 'lede' });
  /** The settings of the microphone, or why there are none. */
  readonly #voice = element('div');
  #microphone: MicrophoneChoice | null = null;
  #talkMode: WayToTalk | null = null;
  /** Null: the agent does not see. */
  readonly #camera: CameraChoice | null;

  constructor(words: RoomWords, agent: Agent, onJoin: (request: JoinRequest) => void) {
    this.#words = words;
    this.#camera = agent.sees ? new CameraChoice(words, agent.name) : null;
    const userName = element('input', {
      type: 'text',
      autocomplete: 'given-name',
      maxlength: '200',
    });
    const form = element(
      'form',
      { class: 'lobby-form' },
      ...logoOf(agent),
      title('h1', agent.name, agent.hasAiLabel ? words.aiLabel : null),
      this.#lede,
      element(
        'label',
        { class: 'field' },
        element(
          'span',
          {},
          `${words.yourName} `,
          element('span', { class: 'soft' }, words.optional),
        ),
        userName,
      ),
      this.#voice,
      ...(this.#camera ? [this.#camera.node] : []),
      element('button', { type: 'submit', class: 'button button-lit lobby-join' }, words.join),
      element('p', { class: 'soft lobby-small' }, words.keepsTranscript(agent.name)),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.close();
      onJoin({
        userName: userName.value.trim(),
        microphone: this.#microphone?.joinsOn ?? false,
        camera: this.#camera?.joinsOn ?? false,
      });
    });
    this.show(agent);
    const face = element('div', { class: 'lobby-face' });
    if (agent.picture)
      face.append(element('img', { src: agent.picture, alt: words.pictureOf(agent.name) }));
    this.node = element(
      'section',
      { class: 'lobby', 'aria-label': words.callWith(agent.name) },
      face,
      form,
    );
  }

  /** How one talks with the agent now. */
  show(agent: Agent): void {
    const talkMode = wayToTalk(agent, window);
    if (talkMode === this.#talkMode) return;
    this.#talkMode = talkMode;
    const { lede, note } = wayTexts(this.#words)[talkMode](agent.name);
    setText(this.#lede, agent.welcomeText ?? lede);
    this.#microphone?.close();
    this.#microphone = note === null ? new MicrophoneChoice(this.#words) : null;
    const settings = this.#microphone?.node ?? element('p', { class: 'lobby-note' }, note ?? '');
    this.#voice.replaceChildren(settings);
  }

  /** Releases the microphone and the camera. */
  close(): void {
    this.#microphone?.close();
    this.#camera?.close();
  }
}
