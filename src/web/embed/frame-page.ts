/* The page for frames: the element fills it, and its events go to the page around it. */
import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '../look/base.css';
import './frame-page.css';
import './define.ts';
import { callTexts } from '../call/words/call-words.ts';
import { chooseLanguage, loadWords } from '../call/words/languages.ts';
import { AGENT_EVENTS, isCommand } from './frame-messages.ts';

const [agentId = ''] = location.pathname.split('/').filter(Boolean).slice(-1);
const query = new URLSearchParams(location.search);
// In the fragment, which browsers send to no server.
const linkToken = new URLSearchParams(location.hash.slice(1)).get('token');

const chosenLanguage = query.get('language');
const wantedLanguages = chosenLanguage === null ? navigator.languages : [chosenLanguage];
const words = await loadWords(chooseLanguage(wantedLanguages), callTexts);
// The element follows it.
document.documentElement.lang = words.language;

const agent = document.createElement('troupe-agent');
agent.agent = agentId;
agent.token = linkToken;
for (const name of ['theme', 'user-name', 'microphone', 'camera']) {
  const value = query.get(name);
  if (value !== null) agent.setAttribute(name, value);
}

// Its frame-ancestors let only pages that the agent's owner allows frame this page, so any origin
// may read what is posted.
for (const type of AGENT_EVENTS) {
  agent.addEventListener(type, ({ detail }) => {
    window.parent.postMessage({ source: 'troupe-agent', type, detail }, '*');
  });
}
window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || !isCommand(data)) return;
  void agent[data.type]();
});
agent.addEventListener('troupe-ready', ({ detail }) => {
  document.title = words.callWith(detail.name);
});
const main = document.createElement('main');
main.append(agent);
document.body.append(main);
