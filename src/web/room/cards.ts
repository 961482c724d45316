import './cards.css';
import type { Line, Phase } from '../call/state/call-state.ts';
import type { VisitorCall } from '../call/state/visitor-call.ts';
import { endText } from '../call/texts/end-text.ts';
import { refusalText, retryText } from '../call/texts/refusals.ts';
import { button } from '../call/view/button.ts';
import { element } from '../call/view/dom.ts';
import { RatingForm } from '../call/view/rating.ts';
import { transcriptButtons } from '../call/view/transcript-buttons.ts';
import { TranscriptList } from '../call/view/transcript-list.ts';
import type { RoomWords } from './words/room-words.ts';

export function endCard(
  words: RoomWords,
  { agent, reason, ratable }: Extract<Phase, { type: 'over' }>,
  lines: Line[],
  { again, rate }: Pick<VisitorCall, 'again' | 'rate'>,
): HTMLElement {
  const { name, language } = agent;
  const actions = element(
    'div',
    { class: 'card-actions' },
    button(words.callAgain(name), again, 'lit'),
    ...transcriptButtons(words, lines, name),
  );
  const heading = element('h1', { id: 'end-title' }, endText(words, reason, name));
  return element(
    'section',
    { class: 'card-page', 'aria-labelledby': 'end-title' },
    element('div', { class: 'card-words' }, heading, actions),
    ...(ratable ? [new RatingForm(words, rate).node] : []),
    transcript(words, lines, name, language),
  );
}

function transcript(words: RoomWords, lines: Line[], name: string, language: string): HTMLElement {
  if (lines.length === 0) return element('p', { class: 'soft' }, words.nothingWasSaid);
  const list = new TranscriptList(words);
  list.show(lines, name, language);
  const region = { tabindex: '0', role: 'region', 'aria-label': words.transcript };
  return element('div', { class: 'card-transcript', ...region }, list.node);
}

export function refusalCard(
  words: RoomWords,
  phase: Extract<Phase, { type: 'refused' }>,
  onRetry: () => void,
): HTMLElement {
  const { agent, why, retryAfterSeconds } = phase;
  const [title, advice] = refusalText(words, phase);
  const card = element(
    'section',
    { class: 'card-page', 'aria-labelledby': 'refused-title' },
    element(
      'div',
      { class: 'card-words', role: 'alert' },
      element('h1', { id: 'refused-title' }, title),
      element('p', { class: 'lede' }, advice + retryText(words, retryAfterSeconds)),
    ),
  );
  if (agent?.picture)
    card.prepend(element('img', { class: 'card-picture', src: agent.picture, alt: '' }));
  if (why !== 'not_found') {
    const retry = button(words.tryAgain, onRetry, 'lit');
    card.append(element('div', { class: 'card-actions' }, retry));
  }
  return card;
}
