import type { Notice } from './notices.ts';

type Props = { notice: Notice; onRetry?: () => void; onLeave?: () => void };

export function NoticeCard({ notice, onRetry, onLeave }: Props) {
  return (
    <div className="notice" role="alert">
      <h2>{notice.title}</h2>
      <p>{notice.advice}</p>
      <div className="notice-actions">
        {notice.canRetry && onRetry && (
          <button type="button" className="button button-lit" onClick={onRetry}>
            Try again
          </button>
        )}
        {onLeave && (
          <button type="button" className="button" onClick={onLeave}>
            New session
          </button>
        )}
      </div>
    </div>
  );
}
