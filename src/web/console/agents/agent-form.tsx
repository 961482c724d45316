import { useState } from 'react';
import { Link } from 'wouter';
import { FaceChoice } from '../avatars/face-choice.tsx';
import { AreaField, CheckField, CheckGroup, TextField } from '../parts/fields.tsx';
import { FieldFaults, OtherFaults } from '../parts/faults/field-faults.tsx';
import { useSay } from '../parts/notices.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type {
  Agent,
  Avatar,
  ListedKnowledgeFile,
} from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { changesBetween, draftOf, type AgentDraft } from './draft.ts';
import { Limits } from './limits.tsx';
import { Models } from './models.tsx';
import { Sight } from './sight.tsx';
import { Speech } from './speech.tsx';
import { TurnTaking } from './turn-taking.tsx';

const t = texts.agents;

type AgentFormProps = { agent: Agent; path: string; canWrite: boolean };

export function AgentForm({ agent, path, canWrite }: AgentFormProps) {
  const say = useSay();
  const avatars = useAll<Avatar>(useMay('avatars:read') ? '/v1/avatars' : null);
  const original = draftOf(agent);
  const [draft, setDraft] = useState(original);
  const change = (changed: Partial<AgentDraft>) => setDraft({ ...draft, ...changed });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(original);
  const save = useWrite(async () => {
    await call('PATCH', path, changesBetween(original, draft));
    say(t.saved);
  }, ['/v1/agents']);
  const faces = (avatars.data?.data ?? []).filter(
    ({ id, status }) => status === 'ready' || id === agent.avatar_id,
  );

  const form = (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {!canWrite && <p className="warning">{texts.states.readOnly}</p>}
      <fieldset className="stack plain" disabled={!canWrite}>
        <TextField
          name="name"
          label={t.name}
          value={draft.name}
          change={(name) => change({ name })}
          maxLength={100}
          required
        />
        <FaceChoice
          label={t.avatar}
          avatars={faces}
          value={draft.avatarId}
          change={(avatarId) => change({ avatarId })}
        />
        <AreaField
          name="system_prompt"
          label={t.prompt}
          hint={t.promptHint}
          rows={8}
          value={draft.prompt}
          change={(prompt) => change({ prompt })}
          maxLength={10_000}
        />
        <AreaField
          name="greeting"
          label={t.greeting}
          hint={t.greetingHint}
          rows={2}
          value={draft.greeting}
          change={(greeting) => change({ greeting })}
          maxLength={1000}
        />
        <Speech
          draft={draft}
          change={change}
          avatar={faces.find(({ id }) => id === draft.avatarId)}
        />
        <TurnTaking draft={draft} change={change} />
        <Sight draft={draft} change={change} agent={agent} />
        <TextField
          name="max_session_length_minutes"
          label={t.minutes}
          type="number"
          min={1}
          max={90}
          value={draft.minutes}
          change={(minutes) => change({ minutes })}
          required
        />
        <KnowledgeChoice
          chosen={draft.knowledgeFiles}
          change={(knowledgeFiles) => change({ knowledgeFiles })}
        />
        <Models draft={draft} change={change} />
        <Limits draft={draft} change={change} />
        <OtherFaults />
        {canWrite && (
          <div className="actions actions-end">
            {isChanged && (
              <p className="soft" role="status">
                {t.unsaved}
              </p>
            )}
            <button
              type="submit"
              className="button button-lit"
              disabled={!isChanged || save.isPending}
            >
              {t.save}
            </button>
          </div>
        )}
      </fieldset>
    </form>
  );
  return <FieldFaults error={save.error}>{form}</FieldFaults>;
}

type KnowledgeChoiceProps = { chosen: string[]; change: (chosen: string[]) => void };

function KnowledgeChoice({ chosen, change }: KnowledgeChoiceProps) {
  const canRead = useMay('knowledge_files:read');
  const files = useAll<ListedKnowledgeFile>(canRead ? '/v1/knowledge-files' : null);
  const ready = files.data?.data.filter(({ status }) => status === 'available');
  return (
    <CheckGroup name="knowledge_files" label={t.knowledge}>
      {ready?.length === 0 && (
        <p className="soft">
          {t.noKnowledge} <Link href="/knowledge">{t.uploadOne}</Link>
        </p>
      )}
      {ready?.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          isChecked={chosen.includes(id)}
          change={(isChecked) =>
            change(isChecked ? [...chosen, id] : chosen.filter((each) => each !== id))
          }
        />
      ))}
    </CheckGroup>
  );
}
