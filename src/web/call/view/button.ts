import { element } from './dom.ts';

export function button(
  label: string | Node[],
  onClick: () => void,
  look: 'plain' | 'lit' = 'plain',
): HTMLButtonElement {
  const isLit = look === 'lit';
  const attributes = {
    type: 'button',
    class: isLit ? 'button button-lit' : 'button',
    part: isLit ? 'button start-button' : 'button',
    click: onClick,
  };
  return element('button', attributes, ...[label].flat());
}
