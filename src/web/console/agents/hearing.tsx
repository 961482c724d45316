import { baseLanguage } from '#protocol/languages.ts';
import { Code } from '../parts/code.tsx';
import { Problem } from '../parts/states.tsx';
import { useRead, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents.hearing;

/** As `/console/api/speech-models` answers it. */
type SpeechModel = {
  id: string;
  languages: string[];
  bytes: number;
  licence: string;
  source: string;
  state: 'missing' | 'installing' | 'installed' | 'failed';
  share: number;
  problem: string | null;
};
export type SpeechModels = { heard: string[]; can_install: boolean; data: SpeechModel[] };

export const SPEECH_MODELS = '/console/api/speech-models';
const OFTEN_MS = 1_000;
const SELDOM_MS = 10_000;

type HearingProps = { language: string; name: string };

/** Says that agents do not hear the language, and installs what they need. */
export function Hearing({ language, name }: HearingProps) {
  const isHeard = (models: SpeechModels | undefined) => models?.heard.includes(language) ?? true;
  const modelIn = (models: SpeechModels | undefined) =>
    models?.data.find(({ languages }) => languages.includes(baseLanguage(language)));
  const { data: models } = useRead<SpeechModels>(SPEECH_MODELS, {
    everyMs: (answer) => {
      if (isHeard(answer)) return false;
      const { state } = modelIn(answer) ?? {};
      return state === 'installing' || state === 'installed' ? OFTEN_MS : SELDOM_MS;
    },
  });
  const model = modelIn(models);
  if (!models || isHeard(models)) return null;
  return (
    <div className="warning stack">
      <p role="status">{(model ? t.notHeard : t.notHeardYet)(name)}</p>
      {model && <Installation {...{ model, name, canInstall: models.can_install }} />}
    </div>
  );
}

type InstallationProps = { model: SpeechModel; name: string; canInstall: boolean };

/** A button that installs a model, and its progress. `name`: of its languages. */
export function Installation({ model, name, canInstall }: InstallationProps) {
  const { id, bytes, licence, source, state, share, problem } = model;
  const install = useWrite(() => call('POST', `${SPEECH_MODELS}/${id}/install`), [SPEECH_MODELS]);
  if (state === 'installed') return <p>{t.tried}</p>;
  if (state === 'installing')
    return (
      <>
        <p>{t.installing(Math.floor(share * 100))}</p>
        <progress max={1} value={share} aria-label={t.progress(name)} />
      </>
    );
  const origin = <p className="soft">{t.origin(id, licence, source)}</p>;
  if (!canInstall)
    return (
      <>
        <p>{t.byCommand}</p>
        <Code text={`troupe speech install ${id}`} label={t.command} />
        {origin}
      </>
    );
  return (
    <>
      {problem !== null && <p>{t.failed(problem)}</p>}
      <div className="actions">
        <button
          type="button"
          className="button"
          disabled={install.isPending}
          onClick={() => install.mutate()}
        >
          {problem === null ? t.install(name, bytes) : t.again}
        </button>
      </div>
      {origin}
      {install.error && <Problem error={install.error} />}
    </>
  );
}
