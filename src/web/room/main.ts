import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '../look/base.css';
import '../call/look/call.css';
import '../call/look/rating.css';
import '../call/look/stage.css';
import { RoomPage } from './room-page.ts';

const [agentId = ''] = location.pathname.split('/').filter(Boolean).slice(-1);
// In the fragment, which browsers send to no server.
const linkToken = new URLSearchParams(location.hash.slice(1)).get('token');
document.getElementById('page')?.append(new RoomPage(agentId, linkToken).node);
