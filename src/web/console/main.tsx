import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '../look/base.css';
import '../look/header.css';
import './look/look.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { Notices } from './parts/notices.tsx';
import { newQueryClient } from './service/queries.ts';
import { applyLook } from './shell/look.ts';

applyLook();
const page = document.getElementById('page');
if (page) {
  createRoot(page).render(
    <QueryClientProvider client={newQueryClient()}>
      <Router base="/console">
        <Notices>
          <App />
        </Notices>
      </Router>
    </QueryClientProvider>,
  );
}
