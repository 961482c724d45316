import { words as callWords } from '../../call/words/pl.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `Zdjęcie: ${name}`,
  yourName: 'Imię',
  optional: '(opcjonalnie)',
  join: 'Dołącz',
  typeOnly: (name) => `Proszę pisać, a ${name} odpowie twarzą w twarz.`,
  dictateInstead:
    'Aby mówić, proszę w trakcie rozmowy nacisnąć „Dyktuj”: przeglądarka zamieni mowę na tekst.',
  microphone: 'Mikrofon',
  camera: 'Kamera',
  speaker: 'Głośnik',
  onWhenYouJoin: 'Włączony przy dołączaniu',
  onWhileHeld: 'Włączony, gdy przycisk jest wciśnięty',
  offType: 'Wyłączony. Można pisać.',
  youCanType: 'Można też pisać.',
  testIt: 'Sprawdź',
  chooseMicrophone: 'Wybierz mikrofon',
  showCamera: () => 'Pokaż obraz z mojej kamery',
  chooseCamera: 'Wybierz kamerę',

  settings: 'Ustawienia',
  leave: 'Opuść',
  captions: 'Napisy',
  captionSize: 'Wielkość napisów',
  captionSizes: { normal: 'Normalna', large: 'Duża', largest: 'Bardzo duża' },
  fullScreen: 'Pełny ekran',
  leaveFullScreen: 'Zamknij pełny ekran',
  pushToTalk: 'Naciśnij i mów',
  pushToTalkMeans: 'Głos jest przekazywany, gdy wciśnięta jest spacja lub przycisk mikrofonu.',
  holdToTalk: 'Przytrzymaj i mów',
  talking: 'Słychać głos',

  stopWaiting: 'Nie czekaj dłużej',
  nextTry: (when) => `Następna próba ${when}.`,
  tryingAgain: 'Ponowna próba.',
  triedSoFar: (times) => `Dotychczasowe próby: ${times}.`,
  cannotHearNow: (name) => `${name} nie słyszy w tej rozmowie, ale czyta wpisywane wiadomości.`,
  nothingWasSaid: 'Nic nie powiedziano.',

  dictation: {
    start: 'Dyktuj',
    stop: 'Zakończ dyktowanie',
    about: 'Przeglądarka zamienia mowę na tekst. Niektóre przeglądarki wysyłają ją do producenta.',
    blocked: 'Mikrofon jest na tej stronie zablokowany.',
    notAllowed: 'Przeglądarka nie zezwala na dyktowanie na tej stronie.',
    noSpeech: 'Nie wykryto mowy.',
    noMicrophone: 'Nie znaleziono mikrofonu.',
    network: 'Przeglądarka nie mogła połączyć się ze swoją usługą rozpoznawania mowy.',
    failed: 'Dyktowanie nie powiodło się. Proszę spróbować ponownie.',
  },
};
