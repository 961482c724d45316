import { element } from './dom.ts';

/** `aiLabel`: the label that the law asks for; null without it. */
export const title = (
  heading: 'h1' | 'h2',
  text: string,
  aiLabel: string | null = null,
): HTMLElement =>
  element(
    'div',
    { class: 'title' },
    element(heading, { part: 'title' }, text),
    ...(aiLabel === null ? [] : [element('p', { class: 'ai-label', part: 'label' }, aiLabel)]),
  );
