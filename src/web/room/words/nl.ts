import { words as callWords } from '../../call/words/nl.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `Foto van ${name}`,
  yourName: 'Uw naam',
  optional: '(optioneel)',
  join: 'Deelnemen',
  typeOnly: (name) => `Typ, en ${name} antwoordt u van aangezicht tot aangezicht.`,
  dictateInstead:
    'Wilt u praten, druk dan in het gesprek op ‘Dicteren’: uw browser zet uw spraak om in tekst.',
  microphone: 'Microfoon',
  camera: 'Camera',
  speaker: 'Luidspreker',
  onWhenYouJoin: 'Aan wanneer u deelneemt',
  onWhileHeld: 'Aan zolang u de knop vasthoudt',
  offType: 'Uit. U kunt ook typen.',
  youCanType: 'U kunt ook typen.',
  testIt: 'Testen',
  chooseMicrophone: 'Kies een microfoon',
  showCamera: (name) => `Mijn camera aan ${name} tonen`,
  chooseCamera: 'Kies een camera',

  settings: 'Instellingen',
  leave: 'Verlaten',
  captions: 'Ondertiteling',
  captionSize: 'Grootte van de ondertiteling',
  captionSizes: { normal: 'Normaal', large: 'Groot', largest: 'Zeer groot' },
  fullScreen: 'Volledig scherm',
  leaveFullScreen: 'Volledig scherm sluiten',
  pushToTalk: 'Druk om te praten',
  pushToTalkMeans: 'U wordt gehoord zolang u de spatiebalk of de microfoonknop vasthoudt.',
  holdToTalk: 'Houd vast en praat',
  talking: 'U wordt gehoord',

  stopWaiting: 'Niet langer wachten',
  nextTry: (when) => `Volgende poging ${when}.`,
  tryingAgain: 'Nieuwe poging.',
  triedSoFar: (times) => `Tot nu toe ${times} pogingen.`,
  cannotHearNow: (name) => `${name} kan u in dit gesprek niet horen, maar leest wat u typt.`,
  nothingWasSaid: 'Er is niets gezegd.',

  dictation: {
    start: 'Dicteren',
    stop: 'Stop met dicteren',
    about: 'Uw browser zet uw spraak om in tekst. Sommige browsers sturen die naar hun maker.',
    blocked: 'Uw microfoon is op deze pagina geblokkeerd.',
    notAllowed: 'Uw browser staat dicteren op deze pagina niet toe.',
    noSpeech: 'Er is geen spraak gehoord.',
    noMicrophone: 'Er is geen microfoon gevonden.',
    network: 'Uw browser kon zijn dienst voor spraakherkenning niet bereiken.',
    failed: 'Het dicteren is mislukt. Probeer het opnieuw.',
  },
};
