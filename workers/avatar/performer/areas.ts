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

/** The part of a rectangle inside a frame. */
export function within(
  { x, y, width, height }: Rectangle,
  frame: { width: number; height: number },
): Rectangle {
  const [leftX, topY] = [Math.max(0, x), Math.max(0, y)];
  return {
    x: leftX,
    y: topY,
    width: Math.max(0, Math.min(frame.width, x + width) - leftX),
    height: Math.max(0, Math.min(frame.height, y + height) - topY),
  };
}

/** In the chroma of a frame. */
export const halfOf = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: x / 2,
  y: y / 2,
  width: width / 2,
  height: height / 2,
});
