/* The appearance that the owner of an agent has chosen. */
import type { Agent } from '../connection/chat-service.ts';
import { accentProperties } from '../../look/accent.ts';
import { element } from './dom.ts';

/** Shows the node in the colour; null: in the usual one. */
export function showAccent(node: HTMLElement, color: string | null): void {
  node.classList.toggle('branded', color !== null);
  if (color === null) return;
  for (const [name, value] of Object.entries(accentProperties(color)))
    node.style.setProperty(name, value);
}

/** Empty without a logo. The name of the agent is beside it. */
export const logoOf = ({ logo }: Pick<Agent, 'logo'>): HTMLElement[] =>
  logo === null ? [] : [element('img', { class: 'logo', part: 'logo', src: logo, alt: '' })];
