import { createRoot } from 'react-dom/client';
import { Frame } from '../look/frame.tsx';
import { ComingFromPage } from './coming-from-page.tsx';
import { DocsNav, type DocsPath } from './docs-nav.tsx';
import { LimitsPage } from './limits-page.tsx';
import { StartPage } from './start-page.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

const pages = {
  start: { Page: StartPage, path: '/docs' },
  comingFrom: { Page: ComingFromPage, path: '/docs/coming-from' },
  limits: { Page: LimitsPage, path: '/docs/limits' },
  webhooks: { Page: WebhooksPage, path: '/docs/webhooks' },
} as const satisfies Record<string, { Page: () => React.JSX.Element; path: DocsPath }>;

const root = document.getElementById('page');
const wanted = root?.dataset['page'] as keyof typeof pages | undefined;
if (root && wanted) {
  const { Page, path } = pages[wanted];
  createRoot(root).render(
    <Frame page="docs">
      <DocsNav path={path} />
      <Page />
    </Frame>,
  );
}
