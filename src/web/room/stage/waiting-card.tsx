import { useEffect, useState } from 'react';
import type { Phase } from '../../call/state/call-state.ts';

type Props = { phase: Extract<Phase, { type: 'waiting' }>; onCancel: () => void };

/** Remounted for each try, so its countdown restarts. */
export function WaitingCard({ phase, onCancel }: Props) {
  const [left, setLeft] = useState(phase.retryInSeconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className="waiting-card">
      <h2>All lines are busy</h2>
      <p>
        You will be connected as soon as a line is free.
        {left > 0 ? ` Next try in ${left} s.` : ' Trying again.'}
        {phase.tries > 1 && ` Tried ${phase.tries} times so far.`}
      </p>
      <button type="button" className="button" onClick={onCancel}>
        Stop waiting
      </button>
    </div>
  );
}
