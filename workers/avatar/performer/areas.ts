import type { Rectangle } from '../../bundle/format.ts';

/** Merges rectangles that touch, so that nothing is drawn twice. */
export function merged(areas: Rectangle[]): Rectangle[] {
  const apart: Rectangle[] = [];
  for (const area of areas) {
    let union = area;
    for (let i = apart.length - 1; i >= 0; i--) {
      if (!touch(apart[i]!, union)) continue;
      union = around(apart[i]!, union);
      apart.splice(i, 1);
      i = apart.length;
    }
    apart.push(union);
  }
  return apart;
}

const touch = (a: Rectangle, b: Rectangle) =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;

function around(a: Rectangle, b: Rectangle): Rectangle {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
