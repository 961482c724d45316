import { useEffect, useRef, useState, type ClipboardEvent } from 'react';
import { copyText } from './copy-text.ts';

/** Where the browser permits no copying, the text appears selected: the visitor copies it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'selected' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (outcome === 'selected') {
      field.current?.focus();
      field.current?.select();
    }
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(null), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'selected');
  const leave = (newOutcome: 'copied' | null) => {
    setOutcome(newOutcome);
    button.current?.focus();
  };
  const onCopy = (event: ClipboardEvent) => {
    // The field is gone before the browser would copy the selection.
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    leave('copied');
  };
  const words = { copied: 'Copied', selected: 'Selected: copy it now' };
  return (
    <>
      {outcome === 'selected' && (
        <textarea
          className="copy-field"
          readOnly
          rows={1}
          value={text}
          aria-label={label}
          ref={field}
          onCopy={onCopy}
          onKeyDown={({ key }) => key === 'Escape' && leave(null)}
          onBlur={() => setOutcome((current) => (current === 'selected' ? null : current))}
        />
      )}
      <button
        ref={button}
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
