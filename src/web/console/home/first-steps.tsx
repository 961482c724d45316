import './first-steps.css';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { END_REASON_TEXTS } from '../../end-reason-texts.ts';
import { ownSnippets } from '../../plugin/own-snippets.ts';
import { SnippetTabs } from '../../plugin/snippet-tabs.tsx';
import { withKey } from '../../plugin/snippets.ts';
import { NewAgent } from '../agents/new-agent.tsx';
import { ANY_AVATAR, useReadyAvatars } from '../avatars/use-ready-avatars.ts';
import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/page.tsx';
import { KeyChoice } from '../start/key-choice.tsx';
import type { Session } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { hasArrived, isComplete, type Progress } from './progress.ts';

const t = texts.home.steps;

/** Leads through the first things to do. */
export function FirstSteps({ progress, hide }: { progress: Progress; hide: () => void }) {
  const { hasTalked, arrival, hasAgent } = progress;
  const [isMaking, setMaking] = useState(false);
  const end = (
    <button type="button" className="button button-small" onClick={hide}>
      {isComplete(progress) ? t.finish : t.hide}
    </button>
  );
  return (
    <Card title={t.title} actions={end}>
      <ol className="first-steps">
        <Step title={t.talk} isDone={hasTalked}>
          <p className="soft">{hasTalked ? t.talked : t.talkText}</p>
          {!hasTalked && (
            <div className="actions">
              <a className="button button-lit" href="/">
                {t.talkAct}
              </a>
            </div>
          )}
        </Step>
        <Step title={t.connect} isDone={hasArrived(arrival)}>
          {!hasArrived(arrival) && <Connection />}
          <Arrival session={arrival} />
        </Step>
        <Step title={t.make} isDone={hasAgent}>
          <p className="soft">{hasAgent ? t.made : t.makeText}</p>
          {!hasAgent && (
            <div className="actions">
              <button type="button" className="button" onClick={() => setMaking(true)}>
                {texts.agents.make}
              </button>
            </div>
          )}
        </Step>
      </ol>
      {isMaking && <NewAgent close={() => setMaking(false)} />}
    </Card>
  );
}

type StepProps = { title: string; isDone: boolean; children: ReactNode };

function Step({ title, isDone, children }: StepProps) {
  return (
    <li data-done={isDone}>
      <div className="first-step">
        <h3>
          {title}
          {isDone && <span className="unseen"> {t.done}</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

/** The lines for the agent, with a key that is made here. */
function Connection() {
  const avatar = useReadyAvatars()[0] ?? ANY_AVATAR;
  const [key, setKey] = useState('');
  return (
    <>
      <p className="soft">{t.connectText}</p>
      <KeyChoice typed={key} change={setKey} />
      <SnippetTabs
        snippets={withKey(ownSnippets(location.origin, avatar), key)}
        label={texts.start.pluginTabs}
      />
      <p className="soft">
        <Link href="/start">{t.otherPrograms}</Link>
      </p>
    </>
  );
}

/** Always in the page, so that screen readers hear its changes. */
function Arrival({ session }: { session: Session | null }) {
  const reason = session?.end_reason;
  return (
    <div className="first-arrival" role="status">
      {session === null && <Badge tone="waiting">{t.waiting}</Badge>}
      {!hasArrived(session) && <Link href="/playground">{t.playground}</Link>}
      {hasArrived(session) && <Badge tone="good">{t.arrived}</Badge>}
      {session && !hasArrived(session) && (
        <p>
          {t.failed} {reason && END_REASON_TEXTS[reason][0]}
        </p>
      )}
      {session && <Link href={`/sessions/${session.id}`}>{t.session}</Link>}
    </div>
  );
}
