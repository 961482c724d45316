import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Frame } from '../look/frame.tsx';
import { AgentsPage } from './agents-page.tsx';
import { AlertsPage } from './alerts-page.tsx';
import { BotroomPage } from './botroom-page.tsx';
import { ComingFromPage } from './coming-from-page.tsx';
import { DocsNav, type DocsPath } from './docs-nav.tsx';
import { DisastersPage } from './disasters-page.tsx';
import { FleetPage } from './fleet-page.tsx';
import { KubernetesPage } from './kubernetes-page.tsx';
import { LimitsPage } from './limits-page.tsx';
import { OneMachinePage } from './one-machine-page.tsx';
import { OwnAvatarPage } from './own-avatar-page.tsx';
import { SecurityPage } from './security-page.tsx';
import { StartPage } from './start-page.tsx';
import { SystemdPage } from './systemd-page.tsx';
import { UpgradePage } from './upgrade-page.tsx';
import { WebhooksPage } from './webhooks-page.tsx';
import { WorkerProtocolPage } from './worker-protocol-page.tsx';

const pages = {
  start: { Page: StartPage, path: '/docs' },
  comingFrom: { Page: ComingFromPage, path: '/docs/coming-from' },
  botroom: { Page: BotroomPage, path: '/docs/botroom' },
  ownAvatar: { Page: OwnAvatarPage, path: '/docs/own-avatar' },
  agents: { Page: AgentsPage, path: '/docs/agents' },
  limits: { Page: LimitsPage, path: '/docs/limits' },
  webhooks: { Page: WebhooksPage, path: '/docs/webhooks' },
  fleet: { Page: FleetPage, path: '/docs/fleet' },
  kubernetes: { Page: KubernetesPage, path: '/docs/kubernetes' },
  systemd: { Page: SystemdPage, path: '/docs/systemd' },
  alerts: { Page: AlertsPage, path: '/docs/alerts' },
  oneMachine: { Page: OneMachinePage, path: '/docs/one-machine' },
  upgrade: { Page: UpgradePage, path: '/docs/upgrade' },
  disasters: { Page: DisastersPage, path: '/docs/disasters' },
  security: { Page: SecurityPage, path: '/docs/security' },
  workerProtocol: { Page: WorkerProtocolPage, path: '/docs/worker-protocol' },
} as const satisfies Record<string, { Page: () => React.JSX.Element; path: DocsPath }>;

const root = document.getElementById('page');
const wanted = root?.dataset['page'] as keyof typeof pages | undefined;
if (root && wanted) {
  const { Page, path } = pages[wanted];
  createRoot(root).render(
    <Frame page="docs">
      <DocsNav path={path} />
      <AtSection>
        <Page />
      </AtSection>
    </Frame>,
  );
}

/** Shows the section that the address names: the browser looked for it before the page was drawn. */
function AtSection({ children }: { children: React.ReactNode }) {
  useLayoutEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return children;
}
