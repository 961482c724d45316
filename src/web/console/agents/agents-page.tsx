import './agents.css';
import { useState } from 'react';
import { Link } from 'wouter';
import { ownPath } from '../../api/answers.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import { useMay } from '../service/me.ts';
import { useAll } from '../service/queries.ts';
import type { Agent, Avatar } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { NewAgent } from './new-agent.tsx';

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
      {isMaking && <NewAgent close={() => setMaking(false)} />}
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
