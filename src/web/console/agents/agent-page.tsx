import './agents.css';
import { Link, useLocation } from 'wouter';
import { Code } from '../parts/code.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useRead } from '../service/queries.ts';
import type { Agent } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { AbilityCard } from './ability-card.tsx';
import { AgentForm } from './agent-form.tsx';
import { Appearance } from './appearance.tsx';
import { draftOf } from './draft.ts';
import { Embedding } from './embedding.tsx';
import { Privacy } from './privacy.tsx';
import { TestCall } from './test-call.tsx';

const t = texts.agents;

export function AgentPage({ id }: { id: string }) {
  const path = `/v1/agents/${encodeURIComponent(id)}`;
  const agentQuery = useRead<Agent>(path);
  const canWrite = useMay('agents:write');
  const seesCalls = useMay('calls:read');
  const [, go] = useLocation();
  const name = agentQuery.data?.name ?? t.title;
  const remove = canWrite && agentQuery.data && (
    <DeleteButton
      path={path}
      changes={['/v1/agents']}
      title={t.deleteTitle(name)}
      text={t.deleteText}
      done={t.deleted}
      then={() => go('/agents')}
    />
  );
  return (
    <Page
      title={name}
      up={{ href: '/agents', label: t.title }}
      actions={
        <>
          {seesCalls && (
            <Link
              className="button button-small"
              href={`/conversations?agent_id=${encodeURIComponent(id)}`}
            >
              {texts.conversations.ofAgent}
            </Link>
          )}
          {remove}
        </>
      }
    >
      <Reading query={agentQuery} lines={8}>
        {(agent) => (
          <div className="agent-columns">
            <Card title={t.settings}>
              {/* Saved settings begin a new draft. Other fields have forms of their own. */}
              <AgentForm
                key={JSON.stringify(draftOf(agent))}
                agent={agent}
                path={path}
                canWrite={canWrite}
              />
            </Card>
            <div className="stack-large">
              <AbilityCard path={`${path}/abilities`} title={t.abilities} note={t.abilitiesNote} />
              <TestCall agent={agent} />
              <Card title={t.share}>
                <div className="stack">
                  <Code text={agent.chat_url} label={t.shareLabel} />
                  <Privacy agent={agent} path={path} canWrite={canWrite} />
                </div>
              </Card>
              <Card title={t.appearance.title} note={t.appearance.note}>
                <Appearance
                  key={JSON.stringify(agent.appearance)}
                  agent={agent}
                  path={path}
                  canWrite={canWrite}
                />
              </Card>
              <Card title={t.embed} note={t.embedText}>
                <Embedding
                  key={agent.allowed_origins.join()}
                  agent={agent}
                  path={path}
                  canWrite={canWrite}
                />
              </Card>
              <Card title={t.asRequest}>
                <Code text={curlOf(agent)} label={t.asRequest} />
              </Card>
            </div>
          </div>
        )}
      </Reading>
    </Page>
  );
}

const curlOf = ({ id }: Agent): string =>
  [
    `curl ${location.origin}/v1/calls \\`,
    "  -H 'x-api-key: YOUR_KEY' \\",
    "  -H 'content-type: application/json' \\",
    `  -d '{"agent_id": "${id}"}'`,
  ].join('\n');
