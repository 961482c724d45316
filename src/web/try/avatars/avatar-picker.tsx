import { NoticeCard } from '../notice-card.tsx';
import type { Avatar } from '../service.ts';
import type { Avatars } from './use-avatars.ts';

type Props = {
  avatars: Avatars;
  onPick: (avatar: Avatar) => void;
  onRetry: () => void;
  onPassword: (password: string) => void;
};

export function AvatarPicker({ avatars, onPick, onRetry, onPassword }: Props) {
  switch (avatars.type) {
    case 'loading':
      return (
        <div className="cards" aria-busy="true">
          <span className="unseen">Loading avatars</span>
          <div className="card card-empty" />
          <div className="card card-empty" />
        </div>
      );
    case 'failed':
      return <NoticeCard notice={avatars.notice} onRetry={onRetry} onPassword={onPassword} />;
    case 'here':
      return (
        <ul className="cards" aria-label="Avatars">
          {avatars.avatars.map((avatar) => (
            <li key={avatar.id}>
              <button type="button" className="card" onClick={() => onPick(avatar)}>
                {avatar.picture && <img src={avatar.picture} alt="" width="512" height="512" />}
                <span className="card-name">
                  {avatar.name}
                  <span className="card-go">Start</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      );
  }
}
