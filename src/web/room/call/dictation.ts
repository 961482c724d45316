import { canRecognise, recogniseOnce } from '../../call/chat/recognition.ts';
import { agentOf, type CallState } from '../../call/state/call-state.ts';
import { element, icon, setText } from '../../call/view/dom.ts';
import { MICROPHONE_ICON } from '../../call/view/icon-paths.ts';
import type { RoomWords } from '../words/room-words.ts';

type Parts = {
  /** Receives interim results. */
  onText: (text: string) => void;
  say: (text: string) => void;
};

/** For agents that only read: the browser transcribes one sentence. */
export class Dictation {
  readonly #words: RoomWords['dictation'];
  readonly #parts: Parts;
  readonly #label = element('span', { class: 'unseen' });
  readonly #button: HTMLButtonElement;
  readonly #problem = element('p', { class: 'writer-problem', role: 'alert' });
  #language = '';
  #stop: (() => void) | null = null;

  constructor({ dictation: words }: RoomWords, parts: Parts) {
    this.#words = words;
    this.#parts = parts;
    this.#button = element(
      'button',
      {
        type: 'button',
        class: 'writer-speak',
        title: words.about,
        click: () => (this.#stop ? this.close() : this.#listen()),
      },
      icon(MICROPHONE_ICON),
      this.#label,
    );
    this.#report('');
  }

  get nodes(): Node[] {
    return [this.#button, this.#problem];
  }

  show({ phase, hears }: CallState): void {
    this.#language = agentOf(phase)?.language ?? '';
    const isUsable = hears === false && canRecognise(window);
    this.#button.hidden = !isUsable;
    this.#button.disabled = phase.type !== 'live' || phase.presence === 'rejoining';
    if (!isUsable && this.#stop) this.close();
  }

  /** Stops without a sentence, and forgets an earlier problem. */
  close(): void {
    const isListening = this.#stop !== null;
    this.#stop?.();
    this.#stop = null;
    this.#report('');
    // Otherwise the field holds what the person types.
    if (isListening) this.#parts.onText('');
  }

  #listen(): void {
    this.#stop = recogniseOnce(window, this.#language, {
      onGuess: this.#parts.onText,
      onOver: (text, problem) => {
        this.#stop = null;
        this.#report(!text && problem ? problemText(this.#words, problem) : '');
        this.#parts.onText('');
        if (text) this.#parts.say(text);
      },
    });
    this.#report('');
  }

  #report(problem: string): void {
    const isListening = this.#stop !== null;
    this.#button.setAttribute('data-on', String(isListening));
    setText(this.#label, isListening ? this.#words.stop : this.#words.start);
    setText(this.#problem, problem);
    this.#problem.hidden = problem === '';
  }
}

/** By the error codes of the Web Speech API. */
function problemText(words: RoomWords['dictation'], problem: string): string {
  switch (problem) {
    case 'not-allowed':
      return words.blocked;
    case 'service-not-allowed':
      return words.notAllowed;
    case 'no-speech':
      return words.noSpeech;
    case 'audio-capture':
      return words.noMicrophone;
    case 'network':
      return words.network;
    default:
      return words.failed;
  }
}
