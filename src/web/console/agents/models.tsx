import { SelectField, TextField } from '../parts/fields.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useRead } from '../service/queries.ts';
import type { Abilities, ExternalApi } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import type { AgentDraft, ModelDraft } from './draft.ts';

const t = texts.agents;

const OPENAI = 'openai';

type ModelsProps = { draft: AgentDraft; change: (changed: Partial<AgentDraft>) => void };

/** Which models the agent uses: those of the service, or of an external API. */
export function Models({ draft, change }: ModelsProps) {
  const apis = useAll<ExternalApi>(useMay('external_apis:read') ? '/v1/external-apis' : null);
  const of = (type: string) =>
    (apis.data?.data ?? []).filter((api) => api.type === `openai_compatible_${type}`);
  const service = useRead<Abilities>('/v1/abilities').data;
  const { llm, stt, tts, embeddings } = draft;
  return (
    <details className="models">
      <summary>{t.models}</summary>
      <div className="stack">
        <p className="soft">{t.modelsNote}</p>
        <Choice
          label={t.llm}
          apis={of('llm')}
          usual={t.ofService(service && (service.thinks?.model ?? t.noModel))}
          hasOpenAi={llm.isOpenAi || service?.thinks != null}
          model={llm.isOpenAi ? { ...llm, apiId: OPENAI } : llm}
          change={(model) => {
            const isOpenAi = model.apiId === OPENAI;
            change({ llm: { ...llm, ...model, isOpenAi, apiId: isOpenAi ? '' : model.apiId } });
          }}
        />
        {llm.apiId && (
          <TextField
            label={t.temperature}
            type="number"
            min={0}
            max={2}
            step={0.1}
            value={llm.temperature}
            change={(temperature) => change({ llm: { ...llm, temperature } })}
          />
        )}
        <Choice
          label={t.stt}
          apis={of('stt')}
          usual={t.ofService(service && (service.hears ? nameOf(service.hears) : t.noModel))}
          model={stt}
          change={(model) => change({ stt: model })}
        />
        <Choice
          label={t.tts}
          apis={of('tts')}
          usual={t.ofService(service && nameOf(service.speaks))}
          model={tts}
          change={(model) => change({ tts: { ...tts, ...model } })}
        />
        {tts.apiId && (
          <TextField
            label={t.voice}
            value={tts.voice}
            change={(voice) => change({ tts: { ...tts, voice } })}
            maxLength={200}
          />
        )}
        <Choice
          label={t.embeddings}
          apis={of('embeddings')}
          usual={t.ofService(undefined)}
          model={embeddings}
          change={(model) => change({ embeddings: model })}
        />
      </div>
    </details>
  );
}

type ChoiceProps = {
  label: string;
  apis: ExternalApi[];
  /** Name of the default. */
  usual: string;
  hasOpenAi?: boolean;
  model: ModelDraft;
  change: (model: ModelDraft) => void;
};

const nameOf = ({ model }: { model: string | null }): string => model ?? t.builtIn;

function Choice({ label, apis, usual, hasOpenAi = false, model, change }: ChoiceProps) {
  const { apiId } = model;
  return (
    <div className="pair">
      <SelectField
        label={label}
        value={apiId}
        choices={[
          { value: '', label: usual },
          ...(hasOpenAi ? [{ value: OPENAI, label: t.openai }] : []),
          ...apis.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        change={(chosen) => change({ apiId: chosen, model: model.model })}
      />
      {apiId && apiId !== OPENAI && (
        <TextField
          label={t.model}
          value={model.model}
          change={(name) => change({ apiId, model: name })}
          maxLength={200}
          required
        />
      )}
    </div>
  );
}
