import './avatars.css';
import { useState } from 'react';
import { ownPath } from '../../api/answers.ts';
import { Badge } from '../parts/badge.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useAll } from '../service/queries.ts';
import type { Avatar } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { AvatarDialog } from './avatar-dialog.tsx';
import { NewAvatar } from './new-avatar.tsx';

const t = texts.avatars;

/** While one is built. */
const BUILDING_MS = 1_500;

export function AvatarsPage() {
  const avatars = useAll<Avatar>('/v1/avatars', (read) =>
    read?.data.some(({ status }) => status === 'building') ? BUILDING_MS : false,
  );
  const canWrite = useMay('avatars:write');
  const [isMaking, setMaking] = useState(false);
  const make = canWrite && (
    <button type="button" className="button button-lit" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t.make}
    </button>
  );
  return (
    <Page title={t.title} lede={t.lede} actions={make}>
      <Reading query={avatars} lines={6}>
        {({ data }) => {
          const ownAvatars = data.filter(({ created_at }) => created_at !== undefined);
          const builtIn = data.filter(({ created_at }) => created_at === undefined);
          return (
            <>
              <section className="stack">
                <h2>{t.own}</h2>
                {ownAvatars.length === 0 ? (
                  <Empty title={t.none} text={t.noneText}>
                    {make}
                  </Empty>
                ) : (
                  <Faces avatars={ownAvatars} canWrite={canWrite} />
                )}
              </section>
              <section className="stack">
                <h2>{t.builtIn}</h2>
                <Faces avatars={builtIn} canWrite={false} />
              </section>
            </>
          );
        }}
      </Reading>
      {isMaking && <NewAvatar close={() => setMaking(false)} />}
    </Page>
  );
}

function Faces({ avatars, canWrite }: { avatars: Avatar[]; canWrite: boolean }) {
  return (
    <ul className="faces">
      {avatars.map((avatar) => (
        <li key={avatar.id} className="face">
          <Face avatar={avatar} canWrite={canWrite} />
        </li>
      ))}
    </ul>
  );
}

function Face({ avatar, canWrite }: { avatar: Avatar; canWrite: boolean }) {
  const { id, name, status, progress, advice } = avatar;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {status === 'ready' ? (
        <button
          type="button"
          className="face-picture"
          aria-haspopup="dialog"
          aria-label={t.lookAt(name)}
          onClick={() => setOpen(true)}
        >
          <img src={ownPath(avatar.picture) ?? ''} alt="" loading="lazy" />
        </button>
      ) : (
        <div className="face-picture">
          {status === 'building' && (
            <progress max={100} value={progress ?? 0} aria-label={t.progress(name)} />
          )}
        </div>
      )}
      {isOpen && <AvatarDialog avatar={avatar} close={() => setOpen(false)} />}
      <div className="face-words">
        <div className="face-name">
          <h3>{name}</h3>
          {status !== 'ready' && (
            <Badge tone={status === 'failed' ? 'bad' : 'waiting'}>{t.states[status]}</Badge>
          )}
        </div>
        {advice && <p className="face-advice">{advice}</p>}
        <p className="face-id soft">
          <code>{id}</code>
        </p>
        {canWrite && (
          <DeleteButton
            path={`/v1/avatars/${id}`}
            changes={['/v1/avatars']}
            title={t.deleteTitle(name)}
            text={t.deleteText}
            done={t.deleted}
          />
        )}
      </div>
    </>
  );
}
