import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '../look/base.css';
import { createRoot } from 'react-dom/client';
import { RoomPage } from './room-page.tsx';

const page = document.getElementById('page');
const [agentId = ''] = location.pathname.split('/').filter(Boolean).slice(-1);
// In the fragment, which browsers send to no server.
const linkToken = new URLSearchParams(location.hash.slice(1)).get('token');
if (page) createRoot(page).render(<RoomPage agentId={agentId} linkToken={linkToken} />);
