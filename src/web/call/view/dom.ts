/* Builds elements without markup, which Trusted Types and content security policies may refuse. */
type Attributes = Record<string, string | EventListener>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(key, value);
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Drawn in the text colour, in a box of 24. A text label always accompanies it. */
export function icon(outline: string): SVGElement {
  const drawing = document.createElementNS(SVG, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  drawing.classList.add('icon');
  // The second path crosses out a device that is off.
  for (const line of [outline, 'M4 4l16 16']) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', line);
    drawing.append(path);
  }
  return drawing;
}

/** Screen readers repeat a text that is set again. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Hides the node while there is no picture. */
export function showPicture(node: HTMLImageElement, address: string | null = null): void {
  node.hidden = !address;
  if (address && node.getAttribute('src') !== address) node.src = address;
}
