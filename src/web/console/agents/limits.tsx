import { TextField } from '../parts/fields.tsx';
import { texts } from '../texts/texts.ts';
import { LIMIT_SCOPES, LIMIT_UNITS, type AgentDraft } from './draft.ts';

const t = texts.agents.limits;

const MOST = 1_000_000_000;

type LimitsProps = { draft: AgentDraft; change: (changed: Partial<AgentDraft>) => void };

/** The most that calls of the agent may cost. An empty field has the default. */
export function Limits({ draft: { limits }, change }: LimitsProps) {
  const number = { type: 'number', min: 1, max: MOST } as const;
  return (
    <details className="models">
      <summary>{t.title}</summary>
      <div className="stack">
        <p className="soft">{t.note}</p>
        {LIMIT_SCOPES.map((scope) => (
          <div className="pair" key={scope}>
            {LIMIT_UNITS.map((unit) => (
              <TextField
                key={unit}
                {...number}
                label={t.label(t.units[unit], t.scopes[scope])}
                value={limits[scope][unit]}
                change={(value) =>
                  change({ limits: { ...limits, [scope]: { ...limits[scope], [unit]: value } } })
                }
              />
            ))}
          </div>
        ))}
        <TextField
          {...number}
          label={t.texts}
          hint={t.textsHint}
          value={limits.texts_per_ten_minutes}
          change={(value) => change({ limits: { ...limits, texts_per_ten_minutes: value } })}
        />
      </div>
    </details>
  );
}
