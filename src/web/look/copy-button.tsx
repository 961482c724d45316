import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

/** Where the browser permits no copying, the text appears selected, for the keyboard. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'selected' | null>(null);

  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(null), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'selected');
  const words = { copied: 'Copied', selected: 'Selected: press Ctrl+C' };
  return (
    <>
      {outcome === 'selected' && (
        <textarea
          className="copy-field"
          readOnly
          rows={1}
          value={text}
          aria-label={label}
          ref={(field) => field?.select()}
          onBlur={() => setOutcome(null)}
        />
      )}
      <button
        type="button"
        className="button button-small"
        onClick={() => void copy()}
        aria-label={outcome === 'selected' ? undefined : label}
      >
        <span aria-live="polite">{outcome ? words[outcome] : 'Copy'}</span>
      </button>
    </>
  );
}
