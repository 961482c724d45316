import { element } from './dom.ts';

/** With the AI label that the law asks for. */
export const title = (heading: 'h1' | 'h2', text: string, hasAiLabel = false): HTMLElement =>
  element(
    'div',
    { class: 'title' },
    element(heading, { part: 'title' }, text),
    ...(hasAiLabel ? [element('p', { class: 'ai-label', part: 'label' }, 'AI avatar')] : []),
  );
