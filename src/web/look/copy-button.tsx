import { useEffect, useState } from 'react';

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  };
  const words = { copied: 'Copied', refused: 'Copy blocked' };
  return (
    <button type="button" className="button button-small" onClick={copy} aria-label={label}>
      <span aria-live="polite">{outcome ? words[outcome] : 'Copy'}</span>
    </button>
  );
}
