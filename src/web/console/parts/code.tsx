import { CopyButton } from '../../look/copy-button.tsx';
import { texts } from '../texts/texts.ts';

/** Lines to copy. `label` says what they are. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="code">
      {/* Focusable, because it scrolls sideways on small screens. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={texts.states.copy(label)} />
    </div>
  );
}

/** A secret that is shown only this once. */
export function ShownOnce({
  label,
  secret,
  note,
}: {
  label: string;
  secret: string;
  note: string;
}) {
  return (
    <div className="shown-once">
      <p>
        <strong>{note}</strong>
      </p>
      <Code text={secret} label={label} />
    </div>
  );
}
