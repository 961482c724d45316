import { agentOf, type CallState } from '../state/call-state.ts';
import { nameOf } from '../texts/refusals.ts';
import { silentActivity } from '../texts/activity.ts';
import type { CallWords } from '../words/call-words.ts';
import { element, setText } from './dom.ts';

/** Short thoughts are not worth an announcement: the answer follows. */
const ANNOUNCED_AFTER_MS = 2_000;

/** Says that the agent listens or thinks. Screen readers hear of long thoughts only. */
export class ActivitySign {
  readonly sign = element('p', { class: 'status', part: 'activity', 'aria-hidden': 'true' });
  readonly announcement = element('p', { class: 'unseen', 'aria-live': 'polite' });
  readonly #words: CallWords;
  #activity: ReturnType<typeof silentActivity> = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(words: CallWords) {
    this.#words = words;
    this.sign.hidden = true;
  }

  /** Returns whether there is a sign. */
  show(state: CallState): boolean {
    const activity = silentActivity(state);
    if (activity === this.#activity) return activity !== null;
    this.#activity = activity;
    this.close();
    this.sign.hidden = activity === null;
    if (activity) setText(this.sign, this.#words[activity]);
    this.sign.setAttribute('data-activity', activity ?? '');
    if (activity === 'thinking') this.#announce(nameOf(this.#words, agentOf(state.phase)));
    return activity !== null;
  }

  close(): void {
    clearTimeout(this.#timer);
    setText(this.announcement, '');
  }

  #announce(name: string): void {
    const say = () => setText(this.announcement, this.#words.isThinking(name));
    this.#timer = setTimeout(say, ANNOUNCED_AFTER_MS);
  }
}
