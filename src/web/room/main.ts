import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '../look/base.css';
import '../call/look/call.css';
import '../call/look/rating.css';
import '../call/look/stage.css';
import { chooseLanguage, loadWords } from '../call/words/languages.ts';
import { RoomPage } from './room-page.ts';
import { roomTexts } from './words/room-words.ts';

const [agentId = ''] = location.pathname.split('/').filter(Boolean).slice(-1);
// In the fragment, which browsers send to no server.
const linkToken = new URLSearchParams(location.hash.slice(1)).get('token');
const words = await loadWords(chooseLanguage(navigator.languages), roomTexts);
document.documentElement.lang = words.language;
document.getElementById('page')?.append(new RoomPage(words, agentId, linkToken).node);
