import { PasswordForm } from '../try/notice-card.tsx';
import type { Hosts } from './use-hosts.ts';

type Props = {
  stranger: Extract<Hosts, { type: 'stranger' }>;
  onPassword: (password: string) => void;
};

/** The ways in for a visitor without rights. */
export function StrangerCard({ stranger: { takesPassword, problem }, onPassword }: Props) {
  return (
    <div className="stranger">
      <p className="front-actions">
        <a className="button button-lit" href="/console">
          Sign in to talk
        </a>
        <a className="button" href="/docs">
          Read how it works
        </a>
      </p>
      {takesPassword && <PasswordForm onPassword={onPassword} />}
      {problem && (
        <p className="stranger-problem" role="alert">
          {problem}
        </p>
      )}
      <p className="soft">
        Do you run this service? Open the link that <code>npm start</code> printed.
      </p>
    </div>
  );
}
