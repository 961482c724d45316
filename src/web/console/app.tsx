import { lazy, Suspense, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Route, Switch } from 'wouter';
import { Refusal } from '../api/answers.ts';
import { Home } from './home/home.tsx';
import { Empty, Loading, Problem } from './parts/states.tsx';
import { Page } from './parts/page.tsx';
import { forgetOthers, keyOf, useRead } from './service/queries.ts';
import { may, MeContext, type Me } from './service/me.ts';
import { Shell } from './shell/shell.tsx';
import { allows, PAGES, type PageName } from './shell/pages.ts';
import { SessionPage } from './sessions/session-page.tsx';
import { SessionsPage } from './sessions/sessions-page.tsx';
import { SignIn } from './sign-in/sign-in.tsx';
import { takeLink } from './sign-in/link.ts';
import { texts } from './texts/texts.ts';

const building = () => import('./building.ts');
const PlaygroundPage = lazy(async () => {
  const { PlaygroundPage } = await import('./playground/playground-page.tsx');
  return { default: PlaygroundPage };
});
const operating = () => import('./operate/pages.ts');

const AgentsPage = lazy(async () => ({ default: (await building()).AgentsPage }));
const AgentPage = lazy(async () => ({ default: (await building()).AgentPage }));
const ConversationsPage = lazy(async () => ({ default: (await building()).ConversationsPage }));
const ConversationPage = lazy(async () => ({ default: (await building()).ConversationPage }));
const AvatarsPage = lazy(async () => ({ default: (await building()).AvatarsPage }));
const KnowledgePage = lazy(async () => ({ default: (await building()).KnowledgePage }));
const KeysPage = lazy(async () => ({ default: (await building()).KeysPage }));
const WebhooksPage = lazy(async () => ({ default: (await building()).WebhooksPage }));
const WebhookPage = lazy(async () => ({ default: (await building()).WebhookPage }));
const ApisPage = lazy(async () => ({ default: (await building()).ApisPage }));
const StartPage = lazy(async () => ({ default: (await building()).StartPage }));
const PeoplePage = lazy(async () => ({ default: (await building()).PeoplePage }));
const RequestsPage = lazy(async () => ({ default: (await building()).RequestsPage }));
const FleetPage = lazy(async () => ({ default: (await operating()).FleetPage }));
const HealthPage = lazy(async () => ({ default: (await operating()).HealthPage }));
const AccountsPage = lazy(async () => ({ default: (await operating()).AccountsPage }));
const AuditPage = lazy(async () => ({ default: (await operating()).AuditPage }));

/** Shows the console, or the sign-in if no person is signed in. */
export function App() {
  const client = useQueryClient();
  const [link, setLink] = useState(takeLink);
  const me = useRead<Me>(link ? null : '/console/api/me');
  const enter = (entered: Me) => {
    forgetOthers(client);
    client.setQueryData(keyOf('/console/api/me'), entered);
    setLink(null);
  };

  if (link) return <SignIn link={link} enter={enter} leaveLink={() => setLink(null)} />;
  if (me.error instanceof Refusal && me.error.status === 401) return <SignIn enter={enter} />;
  if (me.error && !me.data) {
    return (
      <main className="gate">
        <Problem error={me.error} again={() => void me.refetch()} />
      </main>
    );
  }
  if (!me.data) {
    return (
      <main className="gate">
        <Loading />
      </main>
    );
  }
  return (
    <MeContext value={me.data}>
      <Shell>
        <Suspense fallback={<Loading lines={6} />}>
          <Pages me={me.data} />
        </Suspense>
      </Shell>
    </MeContext>
  );
}

function Pages({ me }: { me: Me }) {
  const guarded = (name: PageName, page: React.ReactNode) =>
    allows(me, PAGES[name]) ? page : <NotAllowed />;
  return (
    <Switch>
      <Route path="/">
        {may(me, 'sessions:read') ? <Home /> : guarded('fleet', <FleetPage />)}
      </Route>
      <Route path="/sessions">{guarded('sessions', <SessionsPage />)}</Route>
      <Route path="/sessions/:id">
        {({ id }) => guarded('sessions', <SessionPage key={id} id={id} />)}
      </Route>
      <Route path="/conversations">{guarded('conversations', <ConversationsPage />)}</Route>
      <Route path="/conversations/:id">
        {({ id }) => guarded('conversations', <ConversationPage key={id} id={id} />)}
      </Route>
      <Route path="/start">{guarded('start', <StartPage />)}</Route>
      <Route path="/agents">{guarded('agents', <AgentsPage />)}</Route>
      <Route path="/agents/:id">
        {({ id }) => guarded('agents', <AgentPage key={id} id={id} />)}
      </Route>
      <Route path="/playground">{guarded('playground', <PlaygroundPage />)}</Route>
      <Route path="/avatars">{guarded('avatars', <AvatarsPage />)}</Route>
      <Route path="/knowledge">{guarded('knowledge', <KnowledgePage />)}</Route>
      <Route path="/apis">{guarded('apis', <ApisPage />)}</Route>
      <Route path="/keys">{guarded('keys', <KeysPage />)}</Route>
      <Route path="/webhooks">{guarded('webhooks', <WebhooksPage />)}</Route>
      <Route path="/webhooks/:id">
        {({ id }) => guarded('webhooks', <WebhookPage key={id} id={id} />)}
      </Route>
      <Route path="/requests">{guarded('requests', <RequestsPage />)}</Route>
      <Route path="/people">{guarded('people', <PeoplePage />)}</Route>
      <Route path="/fleet">{guarded('fleet', <FleetPage />)}</Route>
      <Route path="/health">{guarded('health', <HealthPage />)}</Route>
      <Route path="/accounts">{guarded('accounts', <AccountsPage />)}</Route>
      <Route path="/audit">{guarded('audit', <AuditPage />)}</Route>
      <Route>
        <Missing />
      </Route>
    </Switch>
  );
}

function Missing() {
  const t = texts.shell;
  return (
    <Page title={t.missing}>
      <Empty text={t.missingText}>
        <Link className="button" href="/">
          {t.toHome}
        </Link>
      </Empty>
    </Page>
  );
}

function NotAllowed() {
  const t = texts.shell;
  return (
    <Page title={t.notAllowed}>
      <Empty text={t.notAllowedText} />
    </Page>
  );
}
