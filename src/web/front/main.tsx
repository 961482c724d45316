import { createRoot } from 'react-dom/client';
import { provideRandomUuid } from '../call/connection/random-uuid.ts';
import { Frame } from '../look/frame.tsx';
import { chooseLanguage, loadWords } from '../call/words/languages.ts';
import { FrontPage } from './front-page.tsx';
import { frontTexts } from './words/front-words.ts';

provideRandomUuid();
const words = await loadWords(chooseLanguage(navigator.languages), frontTexts);
// The conversation follows it.
document.documentElement.lang = words.language;
const page = document.getElementById('page');
if (page) {
  createRoot(page).render(
    <Frame page="front">
      <FrontPage words={words} />
    </Frame>,
  );
}
