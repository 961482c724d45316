import './agents.css';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ownPath } from '../../api/answers.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Agent, Avatar } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents;

export function AgentsPage() {
  const agents = useAll<Agent>('/v1/agents');
  const avatars = useAll<Avatar>(useMay('avatars:read') ? '/v1/avatars' : null);
  const canWrite = useMay('agents:write');
  const [isMaking, setMaking] = useState(false);
  const make = canWrite && (
    <button type="button" className="button button-lit" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t.make}
    </button>
  );
  const faces = avatars.data?.data ?? [];
  return (
    <Page title={t.title} lede={t.lede} actions={make}>
      <Reading query={agents}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t.none} text={t.noneText} />
          ) : (
            <ul className="agents">
              {data.map((agent) => (
                <li key={agent.id}>
                  <AgentCard
                    agent={agent}
                    avatar={faces.find(({ id }) => id === agent.avatar_id)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      {isMaking && (
        <NewAgent
          avatars={faces.filter(({ status }) => status === 'ready')}
          close={() => setMaking(false)}
        />
      )}
    </Page>
  );
}

function AgentCard({ agent, avatar }: { agent: Agent; avatar: Avatar | undefined }) {
  const { id, name, language, is_private, created_at, system_prompt } = agent;
  return (
    <Link className="agent-card" href={`/agents/${id}`}>
      <span className="agent-face">
        {avatar && <img src={ownPath(avatar.picture) ?? ''} alt="" loading="lazy" />}
      </span>
      <span className="agent-words">
        <span className="agent-name">{name}</span>
        <span className="soft agent-prompt">{system_prompt}</span>
        <span className="soft tags">
          <span className="tag">{language}</span>
          {is_private && <span className="tag">{t.private}</span>}
          <Ago at={created_at} />
        </span>
      </span>
    </Link>
  );
}

function NewAgent({ avatars, close }: { avatars: Avatar[]; close: () => void }) {
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [avatarId, setAvatarId] = useState(avatars[0]?.id ?? '');
  const make = useWrite(async () => {
    const { id } = await call<Agent>('POST', '/v1/agents', { name, avatar_id: avatarId });
    go(`/agents/${id}`);
  }, ['/v1/agents']);
  return (
    <Dialog title={t.make} close={close}>
      <Form
        submit={() => make.mutate()}
        error={make.error}
        isBusy={make.isPending}
        action={texts.states.create}
        cancel={close}
      >
        <TextField label={t.name} value={name} change={setName} maxLength={100} required />
        <SelectField
          label={t.avatar}
          value={avatarId}
          choices={avatars.map(({ id, name: label }) => ({ value: id, label }))}
          change={setAvatarId}
        />
      </Form>
    </Dialog>
  );
}
