import type { CSSProperties } from 'react';
import { ownPath } from '../../api/answers.ts';
import { talk } from '../../call/words/en-everywhere.ts';
import { accentProperties } from '../../look/accent.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents.appearance;

type LookPreviewProps = {
  name: string;
  accent: string | null;
  logo: string | null;
  welcome: string | null;
};

/** The pages of visitors before a call, in light and dark. */
export function LookPreview({ name, accent, logo, welcome }: LookPreviewProps) {
  const colors = accent ? accentProperties(accent) : {};
  const isNew = logo?.startsWith('data:');
  return (
    <figure className="look-previews" aria-label={t.preview}>
      {['light', 'dark'].map((look) => (
        <div
          key={look}
          className={`look-preview own-look${accent ? ' branded' : ''}`}
          data-look={look}
          style={colors as CSSProperties}
        >
          {logo && <img className="logo" src={isNew ? logo : (ownPath(logo) ?? '')} alt={t.logo} />}
          <b>{name}</b>
          <p>{welcome ?? talk(name)}</p>
          <span className="button button-lit">{t.startCall}</span>
        </div>
      ))}
    </figure>
  );
}
