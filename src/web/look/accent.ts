/* The accent colour of an agent. */
const BLACK = '#000000';
const WHITE = '#ffffff';

/** Black or white, whichever can be read better on the colour `#rrggbb`: at least 4.5 to 1. */
export const inkOn = (color: string): string =>
  contrast(color, BLACK) >= contrast(color, WHITE) ? BLACK : WHITE;

/** As the Web Content Accessibility Guidelines define it, 1 to 21. */
export function contrast(colorA: string, colorB: string): number {
  const [darker, lighter] = [luminance(colorA), luminance(colorB)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(color.slice(at, at + 2), 16)));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Custom properties of an element in the colour. `.branded` uses them. */
export const accentProperties = (color: string) => ({
  '--accent': color,
  '--on-accent': inkOn(color),
});
