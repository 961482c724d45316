import { createRoot } from 'react-dom/client';
import { Frame } from '../look/frame.tsx';
import { TryPage } from './try-page.tsx';

const page = document.getElementById('page');
if (page) {
  createRoot(page).render(
    <Frame page="try">
      <TryPage />
    </Frame>,
  );
}
