import { createRoot } from 'react-dom/client';
import { Frame } from '../look/frame.tsx';
import { DocsPage } from './docs-page.tsx';

const page = document.getElementById('page');
if (page) {
  createRoot(page).render(
    <Frame page="docs">
      <DocsPage />
    </Frame>,
  );
}
