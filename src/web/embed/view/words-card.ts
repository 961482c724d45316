/* The card of a call that is not going on: invitation, end, refusal. */
import type { CallRating } from '../../call/connection/chat-service.ts';
import { refusalText, retryText } from '../../call/texts/refusals.ts';
import type { Line, Phase } from '../../call/state/call-state.ts';
import { endText } from '../../call/texts/end-text.ts';
import { logoOf } from '../../call/view/brand.ts';
import { button } from '../../call/view/button.ts';
import { element, icon } from '../../call/view/dom.ts';
import { MICROPHONE_ICON } from '../../call/view/icon-paths.ts';
import { RatingForm } from '../../call/view/rating.ts';
import { title } from '../../call/view/title.ts';
import { transcriptButtons } from '../../call/view/transcript-buttons.ts';
import type { CallWords } from '../../call/words/call-words.ts';

export type CardActions = {
  start: () => void;
  retry: () => void;
  rate: (rating: CallRating) => Promise<void>;
};

/** Empty while a call goes on. */
export function wordsCard(
  words: CallWords,
  phase: Phase,
  lines: Line[],
  actions: CardActions,
): Node[] {
  switch (phase.type) {
    case 'looking':
      return [element('p', { class: 'soft' }, words.oneMoment)];
    case 'lobby': {
      const { agent } = phase;
      const { hears, welcomeText } = agent;
      const deafNote = words.cannotHear(agent.name) + words.betweenSentences + words.noMicrophone;
      const invitation = hears ? words.talk(agent.name) : deafNote;
      return [
        ...logoOf(agent),
        title('h2', agent.name, agent.hasAiLabel ? words.aiLabel : null),
        element('p', { class: 'lede', part: 'text' }, welcomeText ?? invitation),
        // The welcome does not say how to talk.
        ...(welcomeText !== null && !hears ? [element('p', { class: 'small' }, deafNote)] : []),
        button(
          hears ? [icon(MICROPHONE_ICON), new Text(words.startCall)] : words.startCall,
          actions.start,
          'lit',
        ),
        ...(agent.sees ? [element('p', { class: 'small' }, words.mayLook(agent.name))] : []),
        element('p', { class: 'small' }, words.keepsTranscript(agent.name)),
      ];
    }
    case 'over': {
      const { agent, reason, ratable } = phase;
      return [
        title('h2', endText(words, reason, agent.name)),
        button(words.callAgain(agent.name), actions.start, 'lit'),
        ...transcriptButtons(words, lines, agent.name),
        ...(ratable ? [new RatingForm(words, actions.rate).node] : []),
      ];
    }
    case 'refused': {
      const [heading, advice] = refusalText(words, phase);
      const text = advice + retryText(words, phase.retryAfterSeconds);
      const retry = phase.why === 'not_found' ? [] : [button(words.tryAgain, actions.retry, 'lit')];
      return [
        element(
          'div',
          { role: 'alert' },
          title('h2', heading),
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
