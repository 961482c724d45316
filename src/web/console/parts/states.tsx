import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Refusal, Unreachable } from '../../api/answers.ts';
import { texts } from '../texts/texts.ts';
import { adviceOf, faultsIn } from './faults/faults.ts';
import { Worded } from './worded.tsx';

const t = texts.states;

/** Grey lines where the content will be. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="unseen">{t.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}

type EmptyProps = { title?: string; text: string; children?: ReactNode };

/** Placeholder of an empty list: its future content, and how to add some. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className="empty">
      {title && <p className="empty-title">{title}</p>}
      <p className="soft">{text}</p>
      {children && <div className="actions">{children}</div>}
    </div>
  );
}

/** An error and its advice. */
export function Problem({ error, again }: { error: Error; again?: () => void }) {
  const advice = error instanceof Refusal ? adviceOf(error) : null;
  const [fault] = faultsIn(error);
  return (
    <div className="problem-card" role="alert">
      <p>
        <strong>
          {error instanceof Unreachable ? t.unreachable : (fault?.text ?? error.message)}
        </strong>
      </p>
      {advice && (
        <p className="soft">
          <Worded text={advice} />
        </p>
      )}
      {error instanceof Unreachable && <p className="soft">{t.unreachableAdvice}</p>}
      {again && (
        <button type="button" className="button button-small" onClick={again}>
          {t.again}
        </button>
      )}
    </div>
  );
}

type ReadingProps<Data> = {
  query: UseQueryResult<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
};

/** Shows what was read, or that it is being read, or why it could not be. */
export function Reading<Data>({ query, lines, children }: ReadingProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Problem error={query.error} again={() => void query.refetch()} />;
  return <Loading {...(lines !== undefined && { lines })} />;
}
