import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'fr',
  betweenSentences: ' ',
  afterTitle: '. ',

  call: 'Appel',
  callWith: (name) => `Appel avec ${name}`,
  oneMoment: 'Un instant…',
  someAgent: 'L’agent',
  aiLabel: 'Avatar IA',
  talk: (name) => `Parlez ou écrivez, et ${name} vous répond face à face.`,
  cannotHear: (name) => `${name} ne vous entend pas, mais lit ce que vous écrivez.`,
  noMicrophone: 'Aucun microphone n’est nécessaire.',
  keepsTranscript: (name) => `L’exploitant de ${name} conserve une transcription de l’appel.`,
  mayLook: (name) =>
    `Tant que votre caméra est allumée, ${name} peut en regarder l’image quand vous parlez ou écrivez. Les images sont envoyées au modèle de langage de l’agent. Ce service ne les conserve pas.`,
  startCall: 'Appeler',

  status: {
    returning: 'Retour à votre appel',
    asking: 'Appel en cours',
    joining: 'Connexion',
    coming: (name) => `${name} arrive`,
    waiting: 'En attente d’une ligne libre',
    live: 'En direct',
    away: (name) => `${name} se reconnecte`,
    rejoining: 'Connexion perdue. Reconnexion…',
  },
  listening: 'Écoute',
  thinking: 'Réfléchit',
  isThinking: (name) => `${name} réfléchit.`,
  linesBusy: 'Toutes les lignes sont occupées',
  connectedWhenFree: 'Vous serez mis en relation dès qu’une ligne sera libre.',
  numberInLine: (position) => `Vous êtes en position ${position} dans la file d’attente.`,
  noVideo: 'Pas encore de vidéo',
  videoOf: (name) => `Vidéo de ${name}`,
  turnOnSound: 'Activer le son',

  controls: 'Commandes de l’appel',
  mute: 'Couper',
  unmute: 'Activer',
  cameraOff: 'Arrêter la caméra',
  cameraOn: 'Activer la caméra',
  canSee: (name) => `${name} peut vous voir`,
  cannotSee: (name) =>
    `${name} ne peut pas voir d’images pendant cet appel. Votre caméra est éteinte.`,
  chat: 'Chat',
  endCall: 'Raccrocher',
  cancel: 'Annuler',
  close: 'Fermer',
  talkTo: (name) => `Parler à ${name}`,
  backToCall: 'Revenir à l’appel',

  you: 'Vous',
  youWaiting: (name) => `Vous · envoyé dès que ${name} sera disponible`,
  conversation: 'Conversation',
  transcript: 'Transcription',
  conversationHint: 'La conversation s’affiche ici.',
  message: (name) => `Message à ${name}`,
  send: 'Envoyer',
  hideNotice: 'Masquer ce message',
  ignored: {
    too_fast:
      'Votre dernier message n’a pas été remis, car vous en avez envoyé trop en une minute. Patientez un instant, puis renvoyez-le.',
    too_often:
      'Votre dernier message n’a pas été remis, car vous en avez envoyé beaucoup au cours des dix dernières minutes. Patientez quelques minutes, puis renvoyez-le.',
    too_many:
      'Votre dernier message n’a pas été remis, car cet appel a atteint sa limite de messages.',
    incomplete: 'Votre dernier message n’a pas été remis. Veuillez le renvoyer.',
  },
  deviceProblems: {
    microphone: {
      denied:
        'Votre microphone est bloqué sur cette page. Autorisez-le à côté de la barre d’adresse, puis réactivez-le.',
      missing: 'Aucun microphone n’a été trouvé. Branchez-en un, puis réactivez-le.',
      in_use: 'Le microphone n’a pas pu être ouvert. Un autre programme l’utilise peut-être.',
      not_secure: 'Les navigateurs n’autorisent le microphone que sur les pages https.',
      failed: 'Le microphone n’a pas pu être ouvert. Veuillez le réactiver.',
    },
    camera: {
      denied:
        'Votre caméra est bloquée sur cette page. Autorisez-la à côté de la barre d’adresse, puis réactivez-la.',
      missing: 'Aucune caméra n’a été trouvée. Branchez-en une, puis réactivez-la.',
      in_use: 'La caméra n’a pas pu être ouverte. Un autre programme l’utilise peut-être.',
      not_secure: 'Les navigateurs n’autorisent la caméra que sur les pages https.',
      failed: 'La caméra n’a pas pu être ouverte. Veuillez la réactiver.',
    },
  },

  ended: 'L’appel est terminé.',
  endings: {
    elsewhere: () => 'L’appel se poursuit dans une autre fenêtre.',
    left: () => 'Vous avez quitté l’appel.',
    ended_by_client: () => 'L’appel a été interrompu.',
    room_empty: () => 'L’appel a pris fin en raison d’une trop longue absence.',
    agent_left: (name) => `${name} a quitté l’appel.`,
    time_limit: (name) => `La durée maximale d’un appel avec ${name} est atteinte.`,
    budget_reached: (name) => `${name} n’a plus de temps pour cet appel.`,
    worker_lost: (name) =>
      `La machine de ${name} est tombée en panne, et aucune autre n’était libre.`,
    service_stopped: () => 'L’appel a pris fin, car le service a été arrêté.',
    never_started: (name) => `${name} n’a pas rejoint l’appel.`,
    room_closed: () => 'Le serveur multimédia a fermé la salle.',
  },
  callAgain: (name) => `Rappeler ${name}`,
  downloadTranscript: 'Télécharger la transcription',
  copyTranscript: 'Copier la transcription',
  copied: 'Copié',
  notCopied: 'Échec de la copie',
  transcriptHead: (name, when) => `Appel avec ${name} (un avatar IA), terminé le ${when}`,
  rating: {
    question: 'Comment s’est passé l’appel ?',
    good: 'Bien',
    bad: 'Mal',
    whatWasGood: 'Qu’est-ce qui vous a plu ? (facultatif)',
    whatToImprove: 'Que faudrait-il améliorer ? (facultatif)',
    thanks: 'Merci.',
    thanksForWords: 'Merci. Votre commentaire a été envoyé.',
    failed: 'L’enregistrement a échoué. Veuillez réessayer.',
  },

  refusals: {
    not_found: () => [
      'Agent introuvable',
      'Le lien est peut-être mal saisi, ou l’agent a été supprimé.',
    ],
    private: () => [
      'Cet appel nécessite un lien valide',
      'Le lien est peut-être incomplet ou expiré. Demandez-en un nouveau.',
    ],
    full: () => ['Toutes les lignes sont occupées', 'Veuillez réessayer dans quelques minutes.'],
    too_often: () => [
      'Trop d’appels',
      'Votre réseau a lancé trop d’appels au cours de la dernière heure.',
    ],
    used_up: (name) => [
      `${name} ne prend pas d’appels pour le moment`,
      'La limite de coût des appels est atteinte.',
    ],
    unreachable: (name) => [
      `${name} est injoignable`,
      'Le service ne répond pas. Vérifiez votre connexion, puis réessayez.',
    ],
    not_allowed: () => [
      'Cet appel n’est pas disponible ici',
      'Adressez-vous au propriétaire de cette page.',
    ],
    no_media: (name) => [
      `Impossible de se connecter à ${name}`,
      'Le son et l’image passent par une connexion distincte, et le serveur multimédia ne répond pas. Un pare-feu la bloque peut-être.',
    ],
    failed: (name) => [
      `${name} n’est pas disponible`,
      'Une erreur s’est produite. Veuillez réessayer.',
    ],
  },
  localFirefox:
    'Firefox ne se connecte pas à un serveur multimédia situé sur la même machine. Utilisez un autre navigateur, ou réglez media.peerconnection.ice.loopback sur true dans about:config.',
  tryAgain: 'Réessayer',
  tryAgainWhen: (when) => `Réessayez ${when}.`,
};
