/* Shown in frames of pages that the agent's owner does not allow. */
import '../../look/base.css';
import './refused-page.css';
import { callTexts } from '../../call/words/call-words.ts';
import { chooseLanguage, loadWords } from '../../call/words/languages.ts';
import { notAllowedText } from '../not-allowed-text.ts';

const [agentId = ''] = location.pathname.split('/').filter(Boolean).slice(-1);
console.error(notAllowedText(agentId, new URL(document.referrer).origin));

const { language, refusals } = await loadWords(chooseLanguage(navigator.languages), callTexts);
document.documentElement.lang = language;
const shown = document.querySelectorAll('h1, p');
for (const [index, text] of refusals.not_allowed('').entries()) shown[index]?.replaceChildren(text);
