import './notice-card.css';
import type { FormEvent } from 'react';
import type { Notice } from './notices.ts';

type Props = {
  notice: Notice;
  onRetry?: () => void;
  retryLabel?: string;
  onLeave?: () => void;
  onPassword?: (password: string) => void;
};

export function NoticeCard({
  notice,
  onRetry,
  retryLabel = 'Try again',
  onLeave,
  onPassword,
}: Props) {
  return (
    <div className="notice" role="alert">
      <h2>{notice.title}</h2>
      <p>{notice.advice}</p>
      {notice.wantsPassword && onPassword && <PasswordForm onPassword={onPassword} />}
      <div className="notice-actions">
        {notice.canRetry && onRetry && (
          <button type="button" className="button button-lit" onClick={onRetry}>
            {retryLabel}
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

/** Asks for the admin password. */
export function PasswordForm({
  onPassword,
  label = 'Admin password',
  openLabel = 'Open',
}: {
  onPassword: (password: string) => void;
  label?: string;
  openLabel?: string;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    if (typeof password === 'string') onPassword(password);
  };
  return (
    <form className="notice-password" onSubmit={submit}>
      <label>
        {label}
        <input type="password" name="password" autoComplete="current-password" required />
      </label>
      <button type="submit" className="button button-lit">
        {openLabel}
      </button>
    </form>
  );
}
