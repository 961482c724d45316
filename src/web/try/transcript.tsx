import { isPending, type Utterance } from './session/try-state.ts';

/** What was said, the latest first, and how much of it was heard. */
type Props = { utterances: Utterance[]; onAgain: ((text: string) => void) | null };

export function Transcript({ utterances, onAgain }: Props) {
  if (utterances.length === 0) return null;
  return (
    <section className="transcript" aria-label="Said so far">
      <ol reversed>
        {utterances.toReversed().map((utterance) => (
          <li key={utterance.id} data-status={utterance.status}>
            <span>{utterance.text}</span>
            <small>{outcomeOf(utterance)}</small>
            {onAgain && !isPending(utterance) && (
              <button
                type="button"
                className="link"
                aria-label={`Say again: ${utterance.text}`}
                onClick={() => onAgain(utterance.text)}
              >
                Again
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function outcomeOf({ status, seconds, heardSeconds }: Utterance): string {
  switch (status) {
    case 'waiting':
      return 'waiting';
    case 'speaking':
      return 'speaking';
    case 'said':
      return `heard, ${heardSeconds.toFixed(1)} s`;
    case 'cut':
      return heardSeconds > 0
        ? `stopped at ${heardSeconds.toFixed(1)} of ${seconds.toFixed(1)} s`
        : 'not said';
    case 'failed':
      return 'could not be spoken';
  }
}
