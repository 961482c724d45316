import { words as callWords } from '../../call/words/fr.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `Photo de ${name}`,
  yourName: 'Votre nom',
  optional: '(facultatif)',
  join: 'Rejoindre',
  typeOnly: (name) => `Écrivez, et ${name} vous répond face à face.`,
  dictateInstead:
    'Pour utiliser votre voix, appuyez sur « Dicter » pendant l’appel : votre navigateur convertit votre parole en texte.',
  microphone: 'Microphone',
  camera: 'Caméra',
  speaker: 'Haut-parleur',
  onWhenYouJoin: 'Activé dès votre arrivée',
  onWhileHeld: 'Activé tant que vous maintenez le bouton',
  offType: 'Désactivé. Vous pouvez écrire.',
  youCanType: 'Vous pouvez écrire à la place.',
  testIt: 'Tester',
  chooseMicrophone: 'Choisir un microphone',
  showCamera: (name) => `Montrer ma caméra à ${name}`,
  chooseCamera: 'Choisir une caméra',

  settings: 'Réglages',
  leave: 'Quitter',
  captions: 'Sous-titres',
  captionSize: 'Taille des sous-titres',
  captionSizes: { normal: 'Normale', large: 'Grande', largest: 'Très grande' },
  fullScreen: 'Plein écran',
  leaveFullScreen: 'Quitter le plein écran',
  pushToTalk: 'Appuyer pour parler',
  pushToTalkMeans:
    'On vous entend tant que vous maintenez la barre d’espace ou le bouton du microphone.',
  holdToTalk: 'Maintenir pour parler',
  talking: 'On vous entend',

  stopWaiting: 'Ne plus attendre',
  nextTry: (when) => `Prochain essai ${when}.`,
  tryingAgain: 'Nouvel essai en cours.',
  triedSoFar: (times) => `${times} essais jusqu’à présent.`,
  cannotHearNow: (name) =>
    `${name} ne vous entend pas dans cet appel, mais lit ce que vous écrivez.`,
  nothingWasSaid: 'Rien n’a été dit.',

  dictation: {
    start: 'Dicter',
    stop: 'Arrêter la dictée',
    about:
      'Votre navigateur convertit votre parole en texte. Certains navigateurs l’envoient à leur éditeur.',
    blocked: 'Votre microphone est bloqué sur cette page.',
    notAllowed: 'Votre navigateur n’autorise pas la dictée sur cette page.',
    noSpeech: 'Aucune parole n’a été détectée.',
    noMicrophone: 'Aucun microphone n’a été trouvé.',
    network: 'Votre navigateur n’a pas pu joindre son service de reconnaissance vocale.',
    failed: 'La dictée a échoué. Veuillez réessayer.',
  },
};
