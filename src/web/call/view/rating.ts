/* The user rates the call that is over, and may change that until the page is left. */
import { MAX_COMMENT_LENGTH, type Rating } from '#protocol/call-ratings.ts';
import type { CallRating } from '../connection/chat-service.ts';
import type { CallWords } from '../words/call-words.ts';
import { element, icon, setText } from './dom.ts';
import { GOOD_ICON, BAD_ICON } from './icon-paths.ts';

type Rate = (rating: CallRating) => Promise<void>;

const CHOICES = [
  { rating: 'good', icon: GOOD_ICON, question: 'whatWasGood' },
  { rating: 'bad', icon: BAD_ICON, question: 'whatToImprove' },
] as const satisfies { rating: Rating; icon: string; question: keyof CallWords['rating'] }[];

const QUESTION_ID = 'rating-question';
const COMMENT_ID = 'rating-comment';

export class RatingForm {
  readonly node: HTMLElement;
  readonly #words: CallWords['rating'];
  readonly #rate: Rate;
  readonly #buttons: HTMLButtonElement[];
  readonly #label = element('label', { for: COMMENT_ID });
  readonly #field = element('textarea', {
    id: COMMENT_ID,
    rows: '2',
    maxlength: String(MAX_COMMENT_LENGTH),
  });
  readonly #form: HTMLFormElement;
  readonly #status = element('p', { class: 'rating-status', role: 'status' });
  /** The last request about it may be under way. */
  #shown: CallRating | null = null;
  #saved: CallRating | null = null;
  /** One request at a time: the last choice must arrive last. */
  #sending = Promise.resolve();

  constructor({ rating: words, send: sendLabel }: CallWords, rate: Rate) {
    this.#words = words;
    this.#rate = rate;
    this.#buttons = CHOICES.map((choice) => {
      const press = () =>
        this.#send({ rating: choice.rating, comment: this.#shown?.comment ?? '' }, words.thanks);
      return element(
        'button',
        { type: 'button', class: 'button', part: 'button', click: press },
        icon(choice.icon),
        words[choice.rating],
      );
    });
    const send = element('button', { class: 'button', part: 'button' }, sendLabel);
    this.#form = element('form', { class: 'rating-form' }, this.#label, this.#field, send);
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#shown) return;
      const rating = { ...this.#shown, comment: this.#field.value.trim() };
      this.#send(rating, words.thanksForWords);
    });
    this.node = element(
      'div',
      { class: 'rating', part: 'rating', role: 'group', 'aria-labelledby': QUESTION_ID },
      element(
        'div',
        { class: 'rating-row' },
        element('p', { id: QUESTION_ID }, words.question),
        element('div', { class: 'rating-choices' }, ...this.#buttons),
      ),
      this.#form,
      this.#status,
    );
    this.#show();
  }

  #send(rating: CallRating, thanks: string): void {
    this.#shown = rating;
    this.#show();
    this.#sending = this.#sending.then(() => this.#deliver(rating, thanks));
  }

  async #deliver(rating: CallRating, thanks: string): Promise<void> {
    try {
      await this.#rate(rating);
      this.#saved = rating;
      setText(this.#status, thanks);
    } catch (error) {
      console.warn('call not rated', error);
      // Else a newer one is on its way.
      if (this.#shown === rating) this.#shown = this.#saved;
      setText(this.#status, this.#words.failed);
    }
    this.#show();
  }

  #show(): void {
    const shown = this.#shown;
    for (const [index, { rating, question }] of CHOICES.entries()) {
      const isChosen = rating === shown?.rating;
      this.#buttons[index]?.setAttribute('aria-pressed', String(isChosen));
      if (isChosen) setText(this.#label, this.#words[question]);
    }
    this.#form.hidden = shown === null;
  }
}
