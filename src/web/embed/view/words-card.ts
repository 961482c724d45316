/* The card of a call that is not going on: invitation, end, refusal. */
import { wayToTalk, wayWords } from '../../call/texts/ways-to-talk.ts';
import { download, transcriptText } from '../../call/chat/transcript-file.ts';
import { nameOf, refusalWords, retryWords } from '../../call/texts/refusals.ts';
import type { Line, Phase } from '../../call/state/call-state.ts';
import { endingWords } from '../../call/texts/end-texts.ts';
import { element, icon } from '../../call/view/dom.ts';

export type CardActions = { start: () => void; again: () => void; retry: () => void };

/** Empty while a call goes on. */
export function wordsCard(phase: Phase, lines: Line[], actions: CardActions): Node[] {
  switch (phase.type) {
    case 'looking':
      return [element('p', { class: 'soft' }, 'One moment…')];
    case 'lobby': {
      const { agent } = phase;
      const { lede, note } = wayWords[wayToTalk(agent, {})](agent.name);
      return [
        title(agent.name, agent.hasAiLabel),
        element('p', { class: 'lede', part: 'text' }, note ?? lede),
        button('Start call', actions.start, { isLit: true, isCall: true }),
        element(
          'p',
          { class: 'small' },
          `${agent.name}’s operator keeps a transcript of the call.`,
        ),
      ];
    }
    case 'over': {
      const { agent, reason } = phase;
      const save = () =>
        download('call.txt', transcriptText(lines, agent.name, new Date().toLocaleString()));
      return [
        title(endingWords(reason, agent.name)),
        button(`Call ${agent.name} again`, actions.again, { isLit: true }),
        ...(lines.length > 0 ? [button('Download transcript', save)] : []),
      ];
    }
    case 'refused': {
      const { why, agent, retryAfterSeconds } = phase;
      const [words, advice] = refusalWords[why](nameOf(agent));
      const text = `${advice}${retryWords(retryAfterSeconds)}`;
      const retry =
        why === 'not_found' ? [] : [button('Try again', actions.retry, { isLit: true })];
      return [
        element('div', { role: 'alert' }, title(words), element('p', { class: 'lede' }, text)),
        ...retry,
      ];
    }
    case 'connecting':
    case 'waiting':
    case 'live':
      return [];
  }
}

/** With the AI label that the law asks for. */
export const title = (words: string, hasAiLabel = false): HTMLElement =>
  element(
    'div',
    { class: 'title' },
    element('h2', { part: 'title' }, words),
    ...(hasAiLabel ? [element('p', { class: 'ai-label', part: 'label' }, 'AI avatar')] : []),
  );

function button(
  words: string,
  onClick: () => void,
  { isLit = false, isCall = false }: { isLit?: boolean; isCall?: boolean } = {},
): HTMLButtonElement {
  const attributes = {
    type: 'button',
    class: isLit ? 'button button-lit' : 'button',
    part: isLit ? 'button start-button' : 'button',
    click: onClick,
  };
  return element('button', attributes, ...(isCall ? [icon('microphone')] : []), words);
}
