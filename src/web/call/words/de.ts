import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'de',
  betweenSentences: ' ',
  afterTitle: '. ',

  call: 'Anruf',
  callWith: (name) => `Anruf bei ${name}`,
  oneMoment: 'Einen Moment …',
  someAgent: 'Der Agent',
  aiLabel: 'KI-Avatar',
  talk: (name) =>
    `Sprechen oder schreiben Sie, und ${name} antwortet Ihnen von Angesicht zu Angesicht.`,
  cannotHear: (name) => `${name} kann Sie nicht hören, liest aber, was Sie schreiben.`,
  noMicrophone: 'Sie brauchen kein Mikrofon.',
  keepsTranscript: (name) => `Der Betreiber von ${name} speichert eine Mitschrift des Gesprächs.`,
  mayLook: (name) =>
    `Solange Ihre Kamera an ist, kann ${name} ihr Bild ansehen, wenn Sie sprechen oder schreiben. Die Bilder gehen an das Sprachmodell. Dieser Dienst speichert sie nicht.`,
  startCall: 'Anrufen',

  status: {
    returning: 'Zurück zu Ihrem Gespräch',
    asking: 'Anruf läuft',
    joining: 'Verbindung wird aufgebaut',
    coming: (name) => `${name} kommt gleich`,
    waiting: 'Warten auf eine freie Leitung',
    live: 'Live',
    away: (name) => `${name} verbindet sich neu`,
    rejoining: 'Verbindung unterbrochen. Neuer Versuch …',
  },
  listening: 'Hört zu',
  thinking: 'Denkt nach',
  isThinking: (name) => `${name} denkt nach.`,
  linesBusy: 'Alle Leitungen sind besetzt',
  connectedWhenFree: 'Sie werden verbunden, sobald eine Leitung frei ist.',
  numberInLine: (position) => `Sie sind Nummer ${position} in der Warteschlange.`,
  noVideo: 'Noch kein Video',
  videoOf: (name) => `Video von ${name}`,
  turnOnSound: 'Ton einschalten',

  controls: 'Steuerung des Gesprächs',
  mute: 'Stumm',
  unmute: 'Mikrofon an',
  cameraOff: 'Kamera aus',
  cameraOn: 'Kamera an',
  canSee: (name) => `${name} kann Sie sehen`,
  cannotSee: (name) => `${name} kann in diesem Gespräch keine Bilder sehen. Ihre Kamera ist aus.`,
  chat: 'Chat',
  endCall: 'Auflegen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  talkTo: (name) => `Mit ${name} sprechen`,
  backToCall: 'Zurück zum Gespräch',

  you: 'Sie',
  youWaiting: (name) => `Sie · wird gesendet, sobald ${name} bereit ist`,
  conversation: 'Unterhaltung',
  transcript: 'Mitschrift',
  conversationHint: 'Hier erscheint die Unterhaltung.',
  message: (name) => `Nachricht an ${name}`,
  send: 'Senden',
  hideNotice: 'Hinweis ausblenden',
  ignored: {
    too_fast:
      'Ihre letzte Nachricht wurde nicht zugestellt, weil Sie zu viele in einer Minute gesendet haben. Warten Sie einen Moment, und senden Sie sie dann noch einmal.',
    too_often:
      'Ihre letzte Nachricht wurde nicht zugestellt, weil Sie in den letzten zehn Minuten viele gesendet haben. Warten Sie einige Minuten, und senden Sie sie dann noch einmal.',
    too_many:
      'Ihre letzte Nachricht wurde nicht zugestellt, weil dieses Gespräch keine weiteren Nachrichten zulässt.',
    incomplete: 'Ihre letzte Nachricht wurde nicht zugestellt. Bitte senden Sie sie noch einmal.',
  },
  deviceProblems: {
    microphone: {
      denied:
        'Ihr Mikrofon ist für diese Seite gesperrt. Erlauben Sie es neben der Adresszeile, und schalten Sie es dann wieder ein.',
      missing:
        'Es wurde kein Mikrofon gefunden. Schließen Sie eines an, und schalten Sie es dann wieder ein.',
      in_use:
        'Das Mikrofon ließ sich nicht öffnen. Vielleicht verwendet es gerade ein anderes Programm.',
      not_secure: 'Browser erlauben das Mikrofon nur auf https-Seiten.',
      failed: 'Das Mikrofon ließ sich nicht öffnen. Bitte schalten Sie es noch einmal ein.',
    },
    camera: {
      denied:
        'Ihre Kamera ist für diese Seite gesperrt. Erlauben Sie sie neben der Adresszeile, und schalten Sie sie dann wieder ein.',
      missing:
        'Es wurde keine Kamera gefunden. Schließen Sie eine an, und schalten Sie sie dann wieder ein.',
      in_use:
        'Die Kamera ließ sich nicht öffnen. Vielleicht verwendet sie gerade ein anderes Programm.',
      not_secure: 'Browser erlauben die Kamera nur auf https-Seiten.',
      failed: 'Die Kamera ließ sich nicht öffnen. Bitte schalten Sie sie noch einmal ein.',
    },
  },

  ended: 'Das Gespräch ist beendet.',
  endings: {
    elsewhere: () => 'Das Gespräch geht in einem anderen Fenster weiter.',
    left: () => 'Sie haben das Gespräch verlassen.',
    ended_by_client: () => 'Das Gespräch wurde beendet.',
    room_empty: () => 'Das Gespräch wurde beendet, weil Sie zu lange weg waren.',
    agent_left: (name) => `${name} hat das Gespräch verlassen.`,
    time_limit: (name) => `Die Gesprächszeit mit ${name} ist abgelaufen.`,
    budget_reached: (name) => `${name} hat keine Zeit mehr für dieses Gespräch.`,
    worker_lost: (name) => `Der Rechner von ${name} ist ausgefallen, und kein anderer war frei.`,
    service_stopped: () => 'Das Gespräch wurde beendet, weil der Dienst angehalten wurde.',
    never_started: (name) => `${name} ist nicht zum Gespräch gekommen.`,
    room_closed: () => 'Der Medienserver hat den Raum geschlossen.',
  },
  callAgain: (name) => `${name} noch einmal anrufen`,
  downloadTranscript: 'Mitschrift herunterladen',
  copyTranscript: 'Mitschrift kopieren',
  copied: 'Kopiert',
  notCopied: 'Nicht kopiert',
  transcriptHead: (name, when) => `Gespräch mit ${name} (einem KI-Avatar), beendet am ${when}`,
  rating: {
    question: 'Wie war das Gespräch?',
    good: 'Gut',
    bad: 'Schlecht',
    whatWasGood: 'Was war gut? (freiwillig)',
    whatToImprove: 'Was sollte besser sein? (freiwillig)',
    thanks: 'Vielen Dank.',
    thanksForWords: 'Vielen Dank. Ihr Text wurde gesendet.',
    failed: 'Das konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.',
  },

  refusals: {
    not_found: () => [
      'Agent nicht gefunden',
      'Vielleicht ist der Link falsch geschrieben, oder der Agent wurde entfernt.',
    ],
    private: () => [
      'Für dieses Gespräch brauchen Sie einen gültigen Link',
      'Der Link ist vielleicht unvollständig oder abgelaufen. Bitten Sie um einen neuen.',
    ],
    full: () => [
      'Alle Leitungen sind besetzt',
      'Bitte versuchen Sie es in einigen Minuten noch einmal.',
    ],
    too_often: () => [
      'Zu viele Anrufe',
      'Aus Ihrem Netzwerk kamen in der letzten Stunde zu viele Anrufe.',
    ],
    used_up: (name) => [
      `${name} nimmt gerade keine Anrufe an`,
      'Die Kostengrenze für Anrufe ist erreicht.',
    ],
    unreachable: (name) => [
      `${name} ist nicht erreichbar`,
      'Der Dienst antwortet nicht. Prüfen Sie Ihre Verbindung, und versuchen Sie es dann noch einmal.',
    ],
    not_allowed: () => [
      'Dieses Gespräch ist hier nicht verfügbar',
      'Bitte wenden Sie sich an den Betreiber dieser Seite.',
    ],
    no_media: (name) => [
      `Keine Verbindung zu ${name}`,
      'Ton und Bild laufen über eine eigene Verbindung, und der Medienserver antwortet nicht. Vielleicht blockiert eine Firewall die Verbindung.',
    ],
    failed: (name) => [
      `${name} ist nicht verfügbar`,
      'Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal.',
    ],
  },
  localFirefox:
    'Firefox verbindet sich nicht mit einem Medienserver auf demselben Rechner. Verwenden Sie einen anderen Browser, oder setzen Sie in about:config media.peerconnection.ice.loopback auf true.',
  tryAgain: 'Noch einmal versuchen',
  tryAgainWhen: (when) => `Versuchen Sie es ${when} noch einmal.`,
};
