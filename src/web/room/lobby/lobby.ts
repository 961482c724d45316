import './lobby.css';
import type { Agent } from '../../call/connection/chat-service.ts';
import type { JoinRequest } from '../../call/connection/join-request.ts';
import { logoOf } from '../../call/view/brand.ts';
import { element } from '../../call/view/dom.ts';
import { title } from '../../call/view/title.ts';
import type { RoomWords } from '../words/room-words.ts';
import { CameraChoice } from './camera-choice.ts';
import { MicrophoneChoice } from './microphone-choice.ts';
import { wayTexts, wayToTalk } from './ways-to-talk.ts';

export class Lobby {
  readonly node: HTMLElement;
  readonly #microphone: MicrophoneChoice;
  /** Null: the agent does not see. */
  readonly #camera: CameraChoice | null;

  constructor(words: RoomWords, agent: Agent, onJoin: (request: JoinRequest) => void) {
    const talkMode = wayToTalk(agent, window);
    const { lede, note } = wayTexts(words)[talkMode](agent.name);
    this.#microphone = new MicrophoneChoice(words, talkMode === 'speak');
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
      element('p', { class: 'lede' }, agent.welcomeText ?? lede),
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
      note ? element('p', { class: 'lobby-note' }, note) : this.#microphone.node,
      ...(this.#camera ? [this.#camera.node] : []),
      element('button', { type: 'submit', class: 'button button-lit lobby-join' }, words.join),
      element('p', { class: 'soft lobby-small' }, words.keepsTranscript(agent.name)),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.close();
      onJoin({
        userName: userName.value.trim(),
        microphone: this.#microphone.joinsOn,
        camera: this.#camera?.joinsOn === true,
      });
    });
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

  /** Releases the microphone and the camera. */
  close(): void {
    this.#microphone.close();
    this.#camera?.close();
  }
}
