import { words as callWords } from '../../call/words/de.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `Bild von ${name}`,
  yourName: 'Ihr Name',
  optional: '(freiwillig)',
  join: 'Teilnehmen',
  typeOnly: (name) => `Schreiben Sie, und ${name} antwortet Ihnen von Angesicht zu Angesicht.`,
  dictateInstead:
    'Wenn Sie sprechen möchten, drücken Sie im Gespräch auf „Diktieren“: Ihr Browser wandelt Ihre Sprache in Text um.',
  microphone: 'Mikrofon',
  camera: 'Kamera',
  speaker: 'Lautsprecher',
  onWhenYouJoin: 'Beim Beitreten eingeschaltet',
  onWhileHeld: 'Nur an, solange Sie die Taste halten',
  offType: 'Aus. Sie können stattdessen schreiben.',
  youCanType: 'Sie können stattdessen schreiben.',
  testIt: 'Testen',
  chooseMicrophone: 'Mikrofon auswählen',
  showCamera: (name) => `${name} meine Kamera zeigen`,
  chooseCamera: 'Kamera auswählen',

  settings: 'Einstellungen',
  leave: 'Auflegen',
  captions: 'Untertitel',
  captionSize: 'Größe der Untertitel',
  captionSizes: { normal: 'Normal', large: 'Groß', largest: 'Sehr groß' },
  fullScreen: 'Vollbild',
  leaveFullScreen: 'Vollbild beenden',
  pushToTalk: 'Sprechtaste',
  pushToTalkMeans:
    'Sie werden gehört, solange Sie die Leertaste oder die Mikrofontaste gedrückt halten.',
  holdToTalk: 'Zum Sprechen halten',
  talking: 'Man hört Sie',

  stopWaiting: 'Nicht länger warten',
  nextTry: (when) => `Nächster Versuch ${when}.`,
  tryingAgain: 'Neuer Versuch läuft.',
  triedSoFar: (times) => `Bisher ${times} Versuche.`,
  cannotHearNow: (name) =>
    `${name} kann Sie in diesem Gespräch nicht hören, liest aber, was Sie schreiben.`,
  nothingWasSaid: 'Es wurde nichts gesagt.',

  dictation: {
    start: 'Diktieren',
    stop: 'Diktat beenden',
    about:
      'Ihr Browser wandelt Ihre Sprache in Text um. Manche Browser senden sie an ihren Hersteller.',
    blocked: 'Ihr Mikrofon ist für diese Seite gesperrt.',
    notAllowed: 'Ihr Browser erlaubt auf dieser Seite kein Diktat.',
    noSpeech: 'Es wurde keine Sprache erkannt.',
    noMicrophone: 'Es wurde kein Mikrofon gefunden.',
    network: 'Ihr Browser konnte seinen Dienst zur Spracherkennung nicht erreichen.',
    failed: 'Das Diktat ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.',
  },
};
