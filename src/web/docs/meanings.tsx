/** A list of code names and their meanings. */
export function Meanings({ of }: { of: Record<string, string> }) {
  return (
    <dl className="docs-states wide">
      {Object.entries(of).map(([name, meaning]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
