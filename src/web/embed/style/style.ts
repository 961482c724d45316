import call from '../../call/look/call.css?inline';
import stage from '../../call/look/stage.css?inline';
import palette from '../../look/palette.css?inline';
import agent from './agent.css?inline';
import callSkin from './call.css?inline';
import conversation from './conversation.css?inline';

let sheet: CSSStyleSheet | null = null;

/** One sheet for all elements of the page, which policies without `unsafe-inline` allow. */
export function style(): CSSStyleSheet {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync([palette, call, stage, agent, callSkin, conversation].join('\n'));
  return sheet;
}
