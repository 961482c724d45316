import { useState } from 'react';
import { Badge } from '../parts/badge.tsx';
import { Icon } from '../parts/icon.tsx';
import { useMay, useMe } from '../service/me.ts';
import { texts } from '../texts/texts.ts';
import { OwnSettings } from './own-settings.tsx';

const t = texts.shell;

const tones = { connecting: 'quiet', live: 'live', broken: 'waiting' } as const;

/** The signed-in person, and whether the page is live. */
export function Person({ live }: { live: keyof typeof tones }) {
  const me = useMe();
  const [isOpen, setOpen] = useState(false);
  const seesSessions = useMay('sessions:read');
  const role = me.role ?? (me.is_operator ? 'operator' : 'viewer');
  return (
    <div className="person">
      {seesSessions && (
        <div>
          <Badge tone={tones[live]}>{t.live[live]}</Badge>
        </div>
      )}
      <a href="/docs">
        <Icon name="docs" />
        {t.documentation}
      </a>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="person" />
        <span className="person-who">
          <strong>{me.name}</strong>
          <span className="soft">
            {[me.account?.name, t.role[role]].filter(Boolean).join(', ')}
          </span>
        </span>
        {!me.has_password && <span className="unseen">{t.noPassword}</span>}
        {!me.has_password && <i className="person-mark" />}
      </button>
      {isOpen && <OwnSettings close={() => setOpen(false)} />}
    </div>
  );
}
