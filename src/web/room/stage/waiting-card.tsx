import { useEffect, useState } from 'react';
import type { Phase } from '../call/room-state.ts';

type Props = { phase: Extract<Phase, { type: 'waiting' }>; onCancel: () => void };

/** Made anew for each try, so its count begins anew. */
export function WaitingCard({ phase, onCancel }: Props) {
  const [left, setLeft] = useState(phase.againInSeconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className="waiting-card">
      <h2>Every avatar is busy</h2>
      <p>
        You are put through as soon as one is free.
        {left > 0 ? ` Asking again in ${left} s.` : ' Asking again.'}
        {phase.tries > 1 && ` Asked ${phase.tries} times so far.`}
      </p>
      <button type="button" className="button" onClick={onCancel}>
        Stop waiting
      </button>
    </div>
  );
}
