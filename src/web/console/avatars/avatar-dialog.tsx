import { ownPath } from '../../api/answers.ts';
import { Code } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Reading } from '../parts/states.tsx';
import { useRead } from '../service/queries.ts';
import type { Avatar, ContactSheet } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { SheetTiles } from './sheet-tiles.tsx';

const t = texts.avatars;

/** One avatar from near, with its mouth shapes and expressions. */
export function AvatarDialog({ avatar, close }: { avatar: Avatar; close: () => void }) {
  const { id, name, picture } = avatar;
  const sheet = useRead<ContactSheet>(`/v1/avatars/${id}/sheet`);
  return (
    <Dialog title={name} close={close}>
      <div className="stack">
        <div className="avatar-head">
          <img src={ownPath(picture) ?? ''} alt={t.pictureOf(name)} />
          <div className="stack-small">
            <p className="soft">{t.idHint}</p>
            <Code text={id} label={t.id} />
          </div>
        </div>
        <Reading query={sheet} lines={6}>
          {(read) => <SheetTiles sheet={read} />}
        </Reading>
      </div>
    </Dialog>
  );
}
