/** Code that may be wider than the page: it can be scrolled by keyboard. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <pre className="docs-code" tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
  );
}
