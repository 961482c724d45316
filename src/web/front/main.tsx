import { createRoot } from 'react-dom/client';
import { provideRandomUuid } from '../call/connection/random-uuid.ts';
import { Frame } from '../look/frame.tsx';
import { FrontPage } from './front-page.tsx';

provideRandomUuid();
const page = document.getElementById('page');
if (page) {
  createRoot(page).render(
    <Frame page="front">
      <FrontPage />
    </Frame>,
  );
}
