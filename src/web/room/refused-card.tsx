import './cards.css';
import { nameOf, refusalWords, retryWords } from '../call/texts/refusals.ts';
import type { Phase } from '../call/state/call-state.ts';

type Props = { phase: Extract<Phase, { type: 'refused' }>; onRetry: () => void };

export function RefusedCard({ phase, onRetry }: Props) {
  const [title, advice] = refusalWords[phase.why](nameOf(phase.agent));
  return (
    <section className="card-page" aria-labelledby="refused-title">
      {phase.agent?.picture && <img className="card-picture" src={phase.agent.picture} alt="" />}
      <div className="card-words" role="alert">
        <h1 id="refused-title">{title}</h1>
        <p className="lede">
          {advice}
          {retryWords(phase.retryAfterSeconds)}
        </p>
      </div>
      {phase.why !== 'not_found' && (
        <div className="card-actions">
          <button type="button" className="button button-lit" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </section>
  );
}
