import { Installation, SPEECH_MODELS, type SpeechModels } from '../agents/hearing.tsx';
import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { useRead } from '../service/queries.ts';
import { texts } from '../texts/texts.ts';

const t = texts.operate;

const OFTEN_MS = 1_000;
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The speech models of other languages, for operators. */
export function SpeechModelsCard() {
  const query = useRead<SpeechModels>(SPEECH_MODELS, {
    everyMs: (answer) =>
      answer?.data.some(({ state }) => state === 'installing') ? OFTEN_MS : false,
  });
  return (
    <Card title={t.speechModels} note={t.speechModelsNote}>
      <Reading query={query} lines={6}>
        {({ data, can_install: canInstall }) => (
          <ul className="speech-models">
            {data.map((model) => {
              const [language = '', ...others] = model.languages;
              const name =
                others.length > 0
                  ? t.languages(model.languages.length)
                  : (languageNames.of(language) ?? language);
              return (
                <li key={model.id}>
                  <h3>
                    {name} {model.state === 'installed' && <Badge tone="good">{t.installed}</Badge>}
                  </h3>
                  {model.state !== 'installed' && <Installation {...{ model, name, canInstall }} />}
                </li>
              );
            })}
          </ul>
        )}
      </Reading>
    </Card>
  );
}
