import type { ReactNode } from 'react';

export type Tone = 'live' | 'good' | 'waiting' | 'bad' | 'quiet';

/** A short state. The text says it; the colour repeats it. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
