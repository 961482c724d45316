import type { SoundLevel } from './sound-level.ts';

/**
 * Keeps the CSS variable `--level` of an element up to date, in hundredths, until the returned
 * function is called.
 */
export function drawLevel(element: HTMLElement, level: () => SoundLevel | null): () => void {
  let request = 0;
  let drawnText = '';
  const draw = () => {
    const text = (level()?.read() ?? 0).toFixed(2);
    // Each change draws the page again, so only those that can be seen.
    if (text !== drawnText) element.style.setProperty('--level', text);
    drawnText = text;
    request = requestAnimationFrame(draw);
  };
  draw();
  return () => {
    cancelAnimationFrame(request);
    element.style.setProperty('--level', '0');
  };
}
