import { CheckGroup, TextField } from '../parts/fields.tsx';
import { texts } from '../texts/texts.ts';
import { DEFAULT_LIMITS_DRAFT, LIMIT_SCOPES, LIMIT_UNITS, type AgentDraft } from './draft.ts';

const t = texts.agents.limits;

const MOST = 1_000_000_000;

/** A minute may have a fraction: the API counts seconds. */
const RANGES = {
  model_tokens: { min: 1, max: MOST },
  speech_characters: { min: 1, max: MOST },
  minutes: { min: 0.01, max: MOST / 60, step: 'any' },
};

type LimitsProps = { draft: AgentDraft; change: (changed: Partial<AgentDraft>) => void };

/** The most that calls of the agent may cost. An empty field has the default. */
export function Limits({ draft: { limits }, change }: LimitsProps) {
  return (
    <details className="models">
      <summary>{t.title}</summary>
      <div className="stack">
        <p className="soft">
          {t.note} <a href="/docs/agent-costs">{t.more}</a>
        </p>
        {LIMIT_SCOPES.map((scope) => (
          <CheckGroup key={scope} label={t.scopes[scope]}>
            <div className="three">
              {LIMIT_UNITS.map((unit) => (
                <TextField
                  key={unit}
                  name={`limits.${scope}.${unit === 'minutes' ? 'seconds' : unit}`}
                  type="number"
                  {...RANGES[unit]}
                  label={t.units[unit]}
                  hint={amount(limits[scope][unit], DEFAULT_LIMITS_DRAFT[scope][unit])}
                  value={limits[scope][unit]}
                  change={(value) =>
                    change({ limits: { ...limits, [scope]: { ...limits[scope], [unit]: value } } })
                  }
                />
              ))}
            </div>
          </CheckGroup>
        ))}
        <TextField
          type="number"
          min={1}
          max={MOST}
          name="limits.texts_per_ten_minutes"
          label={t.texts}
          hint={t.textsHint}
          value={limits.texts_per_ten_minutes}
          change={(value) => change({ limits: { ...limits, texts_per_ten_minutes: value } })}
        />
      </div>
    </details>
  );
}

/** Long numbers are read wrongly without separators. */
const amount = (text: string, usual: string): string => {
  const grouped = Number(text || usual).toLocaleString('en');
  return text === '' || text === usual ? t.usual(grouped) : grouped;
};
