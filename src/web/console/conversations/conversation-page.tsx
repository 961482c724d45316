import './conversations.css';
import { Link } from 'wouter';
import { Facts, type Fact } from '../parts/facts.tsx';
import { formatDateTime } from '../parts/format.ts';
import { Card, Page } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useRead } from '../service/queries.ts';
import { Transcript } from '../sessions/transcript.tsx';
import type { Agent, Call } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { CallLength } from './call-length.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { RatingBadge } from './rating-badge.tsx';

const t = texts.conversations;

/** One call: who, about what, and every line. */
export function ConversationPage({ id }: { id: string }) {
  const callQuery = useRead<Call>(`/v1/calls/${encodeURIComponent(id)}`);
  const agentId = callQuery.data?.agent_id;
  const seesAgents = useMay('agents:read');
  const agentPath = agentId && seesAgents ? `/v1/agents/${encodeURIComponent(agentId)}` : null;
  // A deleted agent is not found; its calls stay.
  const agent = useRead<Agent>(agentPath).data;
  return (
    <Page
      title={callQuery.data?.user_name || t.visitor}
      up={{ href: '/conversations', label: t.title }}
      actions={
        callQuery.data && <ExportButtons call={callQuery.data} agentName={agent?.name ?? t.agent} />
      }
    >
      <Reading query={callQuery} lines={6}>
        {(call) => (
          <div className="conversation-columns">
            <Transcript callId={id} isLive={call.ended_at === null} />
            <div className="conversation-side">
              {call.rating && (
                <Card title={t.rating}>
                  <RatingBadge call={call} />
                  <p className="visitor-comment">{call.rating_comment}</p>
                </Card>
              )}
              <Card title={t.facts}>
                <Facts facts={factsOf(call, agent)} />
              </Card>
            </div>
          </div>
        )}
      </Reading>
    </Page>
  );
}

const known = (name: string, value: Fact['value']): Fact[] => (value ? [{ name, value }] : []);

function factsOf(call: Call, agent: Agent | undefined): Fact[] {
  const { id, agent_id, session_id, user_email, started_at, evaluation, tags } = call;
  return [
    {
      name: t.agent,
      value: agent ? <Link href={`/agents/${agent_id}`}>{agent.name}</Link> : t.goneAgent,
    },
    { name: t.started, value: formatDateTime(started_at) },
    { name: t.columns.length, value: <CallLength call={call} /> },
    ...known(t.columns.topic, evaluation?.topic),
    ...known(t.sentiment, evaluation && t.sentiments[evaluation.user_sentiment]),
    ...known(t.email, user_email),
    ...Object.entries(tags).map(([name, value]): Fact => ({ name, value })),
    { name: t.session, value: <Link href={`/sessions/${session_id}`}>{t.openSession}</Link> },
    { name: t.id, value: <code>{id}</code> },
  ];
}
