import palette from '../../look/palette.css?inline';
import agent from './agent.css?inline';
import call from './call.css?inline';
import conversation from './conversation.css?inline';

let made: CSSStyleSheet | null = null;

/** One sheet for all elements of the page. Content security policies without `unsafe-inline` allow it. */
export function style(): CSSStyleSheet {
  if (made) return made;
  made = new CSSStyleSheet();
  made.replaceSync([palette, agent, call, conversation].join('\n'));
  return made;
}
