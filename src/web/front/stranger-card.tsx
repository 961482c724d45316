import { PasswordForm } from '../try/notice-card.tsx';
import type { Hosts } from './use-hosts.ts';
import type { FrontWords } from './words/front-words.ts';

type Props = {
  words: FrontWords;
  stranger: Extract<Hosts, { type: 'stranger' }>;
  onPassword: (password: string) => void;
};

/** The ways in for a visitor without rights. */
export function StrangerCard({ words, stranger, onPassword }: Props) {
  const { takesPassword, problem } = stranger;
  const [beforeCommand, afterCommand] = words.operator;
  return (
    <div className="stranger">
      <p className="front-actions">
        <a className="button button-lit" href="/console">
          {words.signIn}
        </a>
        <a className="button" href="/docs">
          {words.readHow}
        </a>
      </p>
      {takesPassword && (
        <PasswordForm onPassword={onPassword} label={words.adminPassword} openLabel={words.open} />
      )}
      {problem && (
        <p className="stranger-problem" role="alert">
          {problem}
        </p>
      )}
      <p className="soft">
        {beforeCommand}
        <code>npm start</code>
        {afterCommand}
      </p>
    </div>
  );
}
