/** Events that precede an action of the visitor. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Calls `act` once, at the first sign of a visitor in `target`. Returns a stop function. */
export function onIntent(target: EventTarget, act: () => void): () => void {
  const waiting = new AbortController();
  const onSign = () => {
    waiting.abort();
    act();
  };
  for (const sign of SIGNS)
    target.addEventListener(sign, onSign, { passive: true, signal: waiting.signal });
  return () => waiting.abort();
}
