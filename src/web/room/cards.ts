import './cards.css';
import { saveTranscript } from '../call/chat/transcript-file.ts';
import type { Line, Phase } from '../call/state/call-state.ts';
import type { VisitorCall } from '../call/state/visitor-call.ts';
import { endText } from '../call/texts/end-texts.ts';
import { nameOf, refusalTexts, retryText } from '../call/texts/refusals.ts';
import { button } from '../call/view/button.ts';
import { element } from '../call/view/dom.ts';
import { RatingForm } from '../call/view/rating.ts';
import { TranscriptList } from '../call/view/transcript-list.ts';

export function endCard(
  { agent, reason, ratable }: Extract<Phase, { type: 'over' }>,
  lines: Line[],
  { again, rate }: Pick<VisitorCall, 'again' | 'rate'>,
): HTMLElement {
  const { name } = agent;
  const file = `call-with-${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.txt`;
  const actions = element(
    'div',
    { class: 'card-actions' },
    button(`Call ${name} again`, again, 'lit'),
  );
  if (lines.length > 0)
    actions.append(button('Download transcript', () => saveTranscript(file, lines, name)));
  const heading = element('h1', { id: 'end-title' }, endText(reason, name));
  return element(
    'section',
    { class: 'card-page', 'aria-labelledby': 'end-title' },
    element('div', { class: 'card-words' }, heading, actions),
    ...(ratable ? [new RatingForm(rate).node] : []),
    transcript(lines, name),
  );
}

function transcript(lines: Line[], name: string): HTMLElement {
  if (lines.length === 0) return element('p', { class: 'soft' }, 'Nothing was said.');
  const list = new TranscriptList();
  list.show(lines, name);
  const region = { tabindex: '0', role: 'region', 'aria-label': 'Transcript' };
  return element('div', { class: 'card-transcript', ...region }, list.node);
}

export function refusalCard(
  { agent, why, retryAfterSeconds }: Extract<Phase, { type: 'refused' }>,
  onRetry: () => void,
): HTMLElement {
  const [title, advice] = refusalTexts[why](nameOf(agent));
  const card = element(
    'section',
    { class: 'card-page', 'aria-labelledby': 'refused-title' },
    element(
      'div',
      { class: 'card-words', role: 'alert' },
      element('h1', { id: 'refused-title' }, title),
      element('p', { class: 'lede' }, advice + retryText(retryAfterSeconds)),
    ),
  );
  if (agent?.picture)
    card.prepend(element('img', { class: 'card-picture', src: agent.picture, alt: '' }));
  if (why !== 'not_found') {
    const retry = button('Try again', onRetry, 'lit');
    card.append(element('div', { class: 'card-actions' }, retry));
  }
  return card;
}
