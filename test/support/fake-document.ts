import { vi } from 'vitest';

/** The part of an element that the pages' views use. */
export class FakeElement extends EventTarget {
  readonly attributes = new Map<string, string>();
  readonly children: unknown[] = [];
  readonly classList = { add() {} };
  readonly style = {
    setProperty: (name: string, value: string) => void this.attributes.set(name, value),
  };
  textContent = '';
  hidden = false;
  value = '';
  checked = false;
  isInView = false;

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  append(...nodes: unknown[]): void {
    this.children.push(...nodes);
  }

  replaceChildren(...nodes: unknown[]): void {
    this.children.splice(0, this.children.length, ...nodes);
  }

  remove(): void {}

  scrollIntoView(): void {
    this.isInView = true;
  }
}

const createElement = () => new FakeElement();

/** Until `vi.unstubAllGlobals`. */
export function stubDocument(): void {
  vi.stubGlobal('document', { createElement, createElementNS: createElement });
}
