import type { Rectangle } from '../../bundle/format.ts';

/** Merges rectangles that touch, so that nothing is drawn twice. */
export function merged(areas: Rectangle[]): Rectangle[] {
  const apart: Rectangle[] = [];
  for (const area of areas) {
    let whole = area;
    for (let i = apart.length - 1; i >= 0; i--) {
      if (!touch(apart[i]!, whole)) continue;
      whole = around(apart[i]!, whole);
      apart.splice(i, 1);
      i = apart.length;
    }
    apart.push(whole);
  }
  return apart;
}

const touch = (one: Rectangle, other: Rectangle) =>
  one.x <= other.x + other.width &&
  other.x <= one.x + one.width &&
  one.y <= other.y + other.height &&
  other.y <= one.y + one.height;

function around(one: Rectangle, other: Rectangle): Rectangle {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}
