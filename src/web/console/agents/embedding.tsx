import { useState } from 'react';
import { Code } from '../parts/code.tsx';
import { AreaField } from '../parts/fields.tsx';
import { FieldFaults, OtherFaults } from '../parts/faults/field-faults.tsx';
import { useSay } from '../parts/notices.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Agent } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents;

type EmbeddingProps = { agent: Agent; path: string; canWrite: boolean };

/** The code for pages elsewhere, and which of them may show the agent. */
export function Embedding({ agent, path, canWrite }: EmbeddingProps) {
  const say = useSay();
  const savedOrigins = agent.allowed_origins.join('\n');
  const [origins, setOrigins] = useState(savedOrigins);
  const save = useWrite(async () => {
    const allowed = origins.split('\n').flatMap((line) => line.trim() || []);
    await call('PATCH', path, { allowed_origins: allowed });
    say(t.saved);
  }, ['/v1/agents']);

  const form = (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <fieldset className="stack plain" disabled={!canWrite}>
        <Code text={embedCode(agent)} label={t.embedLabel} />
        <AreaField
          name="allowed_origins"
          label={t.origins}
          hint={t.originsHint}
          placeholder="https://www.example.com"
          rows={2}
          value={origins}
          change={setOrigins}
          spellCheck={false}
        />
        <OtherFaults />
        <div className="actions">
          {canWrite && (
            <button
              type="submit"
              className="button button-small"
              disabled={origins === savedOrigins || save.isPending}
            >
              {t.saveOrigins}
            </button>
          )}
          <a href="/docs/embed">{t.embedDocs}</a>
        </div>
      </fieldset>
    </form>
  );
  return <FieldFaults error={save.error}>{form}</FieldFaults>;
}

const embedCode = ({ id }: Agent): string =>
  [
    `<script type="module" src="${location.origin}/embed.js"></script>`,
    `<troupe-agent agent="${id}"></troupe-agent>`,
  ].join('\n');
