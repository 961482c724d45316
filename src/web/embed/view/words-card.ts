/* The card of a call that is not going on: invitation, end, refusal. */
import { saveTranscript } from '../../call/chat/transcript-file.ts';
import type { CallRating } from '../../call/connection/chat-service.ts';
import { nameOf, refusalTexts, retryText } from '../../call/texts/refusals.ts';
import type { Line, Phase } from '../../call/state/call-state.ts';
import { endText } from '../../call/texts/end-texts.ts';
import { deafNote, talkText } from '../../call/texts/talk-texts.ts';
import { logoOf } from '../../call/view/brand.ts';
import { button } from '../../call/view/button.ts';
import { element, icon } from '../../call/view/dom.ts';
import { MICROPHONE_ICON } from '../../call/view/icon-paths.ts';
import { RatingForm } from '../../call/view/rating.ts';
import { title } from '../../call/view/title.ts';

export type CardActions = {
  start: () => void;
  retry: () => void;
  rate: (rating: CallRating) => Promise<void>;
};

/** Empty while a call goes on. */
export function wordsCard(phase: Phase, lines: Line[], actions: CardActions): Node[] {
  switch (phase.type) {
    case 'looking':
      return [element('p', { class: 'soft' }, 'One moment…')];
    case 'lobby': {
      const { agent } = phase;
      const { hears, welcomeText } = agent;
      const invitation = hears ? talkText(agent.name) : deafNote(agent.name);
      return [
        ...logoOf(agent),
        title('h2', agent.name, agent.hasAiLabel),
        element('p', { class: 'lede', part: 'text' }, welcomeText ?? invitation),
        // The welcome does not say how to talk.
        ...(welcomeText !== null && !hears
          ? [element('p', { class: 'small' }, deafNote(agent.name))]
          : []),
        button(
          hears ? [icon(MICROPHONE_ICON), new Text('Start call')] : 'Start call',
          actions.start,
          'lit',
        ),
        element(
          'p',
          { class: 'small' },
          `${agent.name}’s operator keeps a transcript of the call.`,
        ),
      ];
    }
    case 'over': {
      const { agent, reason, ratable } = phase;
      const save = () => saveTranscript('call.txt', lines, agent.name);
      return [
        title('h2', endText(reason, agent.name)),
        button(`Call ${agent.name} again`, actions.start, 'lit'),
        ...(lines.length > 0 ? [button('Download transcript', save)] : []),
        ...(ratable ? [new RatingForm(actions.rate).node] : []),
      ];
    }
    case 'refused': {
      const { why, agent, retryAfterSeconds } = phase;
      const [words, advice] = refusalTexts[why](nameOf(agent));
      const text = `${advice}${retryText(retryAfterSeconds)}`;
      const retry = why === 'not_found' ? [] : [button('Try again', actions.retry, 'lit')];
      return [
        element(
          'div',
          { role: 'alert' },
          title('h2', words),
          element('p', { class: 'lede' }, text),
        ),
        ...retry,
      ];
    }
    case 'connecting':
    case 'waiting':
    case 'live':
      return [];
  }
}
