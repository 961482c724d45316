import { useState } from 'react';
import { LOGO_KINDS, MAX_LOGO_BYTES, MAX_WELCOME_LENGTH } from '#protocol/agent-appearance.ts';
import { FileDrop } from '../parts/file-drop.tsx';
import { AreaField, TextField } from '../parts/fields.tsx';
import { FieldFaults, OtherFaults } from '../parts/faults/field-faults.tsx';
import { useSay } from '../parts/notices.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Agent } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { LookPreview } from './look-preview.tsx';

const t = texts.agents.appearance;

const TYPES = LOGO_KINDS.map((kind) => `image/${kind}`);

type AppearanceProps = { agent: Agent; path: string; canWrite: boolean };

/** Colour, logo and welcome of the room page and the embed. */
export function Appearance({ agent, path, canWrite }: AppearanceProps) {
  const say = useSay();
  const saved = agent.appearance;
  const [accent, setAccent] = useState(saved.accent_color ?? '');
  /** The saved address, or a new picture as data URL. */
  const [logo, setLogo] = useState(saved.logo);
  const [welcome, setWelcome] = useState(saved.welcome_text ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const changes = {
    ...(accent !== (saved.accent_color ?? '') && { accent_color: accent.trim() || null }),
    ...(logo !== saved.logo && { logo }),
    ...(welcome !== (saved.welcome_text ?? '') && { welcome_text: welcome.trim() || null }),
  };
  const save = useWrite(async () => {
    await call('PATCH', path, { appearance: changes });
    say(texts.agents.saved);
  }, ['/v1/agents']);
  const take = async ([file]: File[]) => {
    if (!file) return;
    const isLogo = TYPES.includes(file.type) && file.size <= MAX_LOGO_BYTES;
    setProblem(isLogo ? null : t.logoRefused);
    if (isLogo) setLogo(await dataUrlOf(file));
  };

  const form = (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <fieldset className="stack plain" disabled={!canWrite}>
        <div className="accent-fields">
          <TextField
            name="appearance.accent_color"
            label={t.accent}
            hint={t.accentHint}
            placeholder="#5b3fd6"
            maxLength={7}
            spellCheck={false}
            value={accent}
            change={setAccent}
          />
          <input
            type="color"
            aria-label={t.chooseAccent}
            value={isColor(accent) ? accent : '#c9f04d'}
            onChange={(event) => setAccent(event.target.value)}
          />
        </div>
        {canWrite && (
          <FileDrop
            label={t.logo}
            words={[logo ? t.otherLogo : t.chooseLogo, t.dropLogo]}
            hint={t.logoHint}
            accept={TYPES.join()}
            give={(files) => void take(files)}
          />
        )}
        {problem && (
          <p className="field-fault" role="alert">
            {problem}
          </p>
        )}
        <AreaField
          name="appearance.welcome_text"
          label={t.welcome}
          hint={t.welcomeHint}
          rows={2}
          maxLength={MAX_WELCOME_LENGTH}
          value={welcome}
          change={setWelcome}
        />
        <LookPreview
          name={agent.name}
          accent={isColor(accent) ? accent : null}
          logo={logo}
          welcome={welcome.trim() || null}
        />
        <OtherFaults />
        {canWrite && (
          <div className="actions">
            <button
              type="submit"
              className="button button-small"
              disabled={Object.keys(changes).length === 0 || save.isPending}
            >
              {t.save}
            </button>
            {logo && (
              <button type="button" className="button button-small" onClick={() => setLogo(null)}>
                {t.noLogo}
              </button>
            )}
          </div>
        )}
      </fieldset>
    </form>
  );
  return <FieldFaults error={save.error}>{form}</FieldFaults>;
}

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** The content security policy allows no blob URLs for images. */
const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });
