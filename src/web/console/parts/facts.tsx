import type { ReactNode } from 'react';

export type Fact = { name: string; value: ReactNode };

/** Names and values of one thing. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type FigureProps = { name: string; value: ReactNode; note?: ReactNode; tone?: 'bad' | undefined };

/** One large number. */
export function Figure({ name, value, note, tone }: FigureProps) {
  return (
    <div className="figure" data-tone={tone}>
      <p className="figure-name">{name}</p>
      <p className="figure-value">{value}</p>
      {note && <p className="figure-note soft">{note}</p>}
    </div>
  );
}
