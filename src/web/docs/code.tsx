/** A code block. Focusable, because it scrolls sideways on small screens. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <pre className="docs-code" tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
  );
}
