import { isPending, type Utterance } from './session/try-state.ts';

type Props = { utterances: Utterance[]; onAgain: ((text: string) => void) | null };

/** Utterances and their outcome, latest first. */
export function Transcript({ utterances, onAgain }: Props) {
  if (utterances.length === 0) return null;
  return (
    <section className="transcript" aria-label="Transcript">
      <ol reversed>
        {utterances.toReversed().map((utterance) => (
          <li key={utterance.id} data-status={utterance.status}>
            <span>{utterance.text}</span>
            <small>{outcomeOf(utterance)}</small>
            {onAgain && !isPending(utterance) && (
              <button
                type="button"
                className="link"
                aria-label={`Repeat: ${utterance.text}`}
                onClick={() => onAgain(utterance.text)}
              >
                Repeat
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
      return `spoken, ${heardSeconds.toFixed(1)} s`;
    case 'cut':
      return heardSeconds > 0
        ? `stopped at ${heardSeconds.toFixed(1)} of ${seconds.toFixed(1)} s`
        : 'not spoken';
    case 'failed':
      return 'failed';
  }
}
