import { words as callWords } from '../../call/words/it.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `Foto di ${name}`,
  yourName: 'Il Suo nome',
  optional: '(facoltativo)',
  join: 'Partecipa',
  typeOnly: (name) => `Scriva, e ${name} Le risponde faccia a faccia.`,
  dictateInstead:
    'Per usare la voce, prema «Detta» durante la chiamata: il browser trasforma in testo ciò che dice.',
  microphone: 'Microfono',
  camera: 'Videocamera',
  speaker: 'Altoparlante',
  onWhenYouJoin: 'Attivo all’ingresso',
  onWhileHeld: 'Attivo finché tiene premuto il pulsante',
  offType: 'Disattivato. Può scrivere.',
  youCanType: 'In alternativa può scrivere.',
  testIt: 'Prova',
  chooseMicrophone: 'Scelga un microfono',
  showCamera: (name) => `Mostra la mia videocamera a ${name}`,
  chooseCamera: 'Scelga una videocamera',

  settings: 'Impostazioni',
  leave: 'Esci',
  captions: 'Sottotitoli',
  captionSize: 'Dimensione dei sottotitoli',
  captionSizes: { normal: 'Normale', large: 'Grande', largest: 'Molto grande' },
  fullScreen: 'Schermo intero',
  leaveFullScreen: 'Esci da schermo intero',
  pushToTalk: 'Premi per parlare',
  pushToTalkMeans:
    'La si sente finché tiene premuta la barra spaziatrice o il pulsante del microfono.',
  holdToTalk: 'Tieni premuto',
  talking: 'La si sente',

  stopWaiting: 'Non attendere più',
  nextTry: (when) => `Prossimo tentativo ${when}.`,
  tryingAgain: 'Nuovo tentativo in corso.',
  triedSoFar: (times) => `${times} tentativi finora.`,
  cannotHearNow: (name) => `${name} non può sentirLa in questa chiamata, ma legge ciò che scrive.`,
  nothingWasSaid: 'Non è stato detto nulla.',

  dictation: {
    start: 'Detta',
    stop: 'Interrompi dettatura',
    about:
      'Il browser trasforma in testo ciò che dice. Alcuni browser lo inviano al loro produttore.',
    blocked: 'Il microfono è bloccato su questa pagina.',
    notAllowed: 'Il browser non consente la dettatura su questa pagina.',
    noSpeech: 'Non è stata rilevata alcuna voce.',
    noMicrophone: 'Nessun microfono trovato.',
    network: 'Il browser non ha potuto raggiungere il suo servizio di riconoscimento vocale.',
    failed: 'La dettatura non è riuscita. Riprovi, per favore.',
  },
};
