import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'nl',
  betweenSentences: ' ',
  afterTitle: '. ',

  call: 'Gesprek',
  callWith: (name) => `Gesprek met ${name}`,
  oneMoment: 'Een ogenblik…',
  someAgent: 'De agent',
  aiLabel: 'AI-avatar',
  talk: (name) => `Praat of typ, en ${name} antwoordt u van aangezicht tot aangezicht.`,
  cannotHear: (name) => `${name} kan u niet horen, maar leest wat u typt.`,
  noMicrophone: 'U hebt geen microfoon nodig.',
  keepsTranscript: (name) => `De beheerder van ${name} bewaart een verslag van het gesprek.`,
  mayLook: (name) =>
    `Zolang uw camera aanstaat, kan ${name} het beeld bekijken wanneer u spreekt of typt. De beelden gaan naar het taalmodel van de agent. Deze dienst bewaart ze niet.`,
  startCall: 'Bellen',

  status: {
    returning: 'Terug naar uw gesprek',
    asking: 'Bellen',
    joining: 'Verbinden',
    coming: (name) => `${name} komt eraan`,
    waiting: 'Wachten op een vrije lijn',
    live: 'Live',
    away: (name) => `${name} maakt opnieuw verbinding`,
    rejoining: 'Verbinding verbroken. Opnieuw verbinden…',
  },
  listening: 'Luistert',
  thinking: 'Denkt na',
  isThinking: (name) => `${name} denkt na.`,
  linesBusy: 'Alle lijnen zijn bezet',
  connectedWhenFree: 'U wordt verbonden zodra er een lijn vrij is.',
  numberInLine: (position) => `U bent nummer ${position} in de wachtrij.`,
  noVideo: 'Nog geen video',
  videoOf: (name) => `Video van ${name}`,
  turnOnSound: 'Geluid aanzetten',

  controls: 'Bediening van het gesprek',
  mute: 'Dempen',
  unmute: 'Microfoon aan',
  cameraOff: 'Camera uit',
  cameraOn: 'Camera aan',
  canSee: (name) => `${name} kan u zien`,
  cannotSee: (name) => `${name} kan in dit gesprek geen beelden zien. Uw camera is uit.`,
  chat: 'Chat',
  endCall: 'Ophangen',
  cancel: 'Annuleren',
  close: 'Sluiten',
  talkTo: (name) => `Praat met ${name}`,
  backToCall: 'Terug naar het gesprek',

  you: 'U',
  youWaiting: (name) => `U · wordt verzonden zodra ${name} klaar is`,
  conversation: 'Gesprek',
  transcript: 'Verslag',
  conversationHint: 'Het gesprek verschijnt hier.',
  message: (name) => `Bericht aan ${name}`,
  send: 'Verzenden',
  hideNotice: 'Deze melding verbergen',
  ignored: {
    too_fast:
      'Uw laatste bericht is niet bezorgd, omdat u er te veel in één minuut hebt verzonden. Wacht even en verzend het dan opnieuw.',
    too_often:
      'Uw laatste bericht is niet bezorgd, omdat u er in de afgelopen tien minuten veel hebt verzonden. Wacht een paar minuten en verzend het dan opnieuw.',
    too_many:
      'Uw laatste bericht is niet bezorgd, omdat dit gesprek het maximale aantal berichten heeft bereikt.',
    incomplete: 'Uw laatste bericht is niet bezorgd. Verzend het opnieuw.',
  },
  deviceProblems: {
    microphone: {
      denied:
        'Uw microfoon is op deze pagina geblokkeerd. Sta hem toe naast de adresbalk en zet hem dan weer aan.',
      missing: 'Er is geen microfoon gevonden. Sluit er een aan en zet hem dan weer aan.',
      in_use: 'De microfoon kon niet worden geopend. Misschien gebruikt een ander programma hem.',
      not_secure: 'Browsers staan de microfoon alleen toe op https-pagina’s.',
      failed: 'De microfoon kon niet worden geopend. Zet hem opnieuw aan.',
    },
    camera: {
      denied:
        'Uw camera is op deze pagina geblokkeerd. Sta hem toe naast de adresbalk en zet hem dan weer aan.',
      missing: 'Er is geen camera gevonden. Sluit er een aan en zet hem dan weer aan.',
      in_use: 'De camera kon niet worden geopend. Misschien gebruikt een ander programma hem.',
      not_secure: 'Browsers staan de camera alleen toe op https-pagina’s.',
      failed: 'De camera kon niet worden geopend. Zet hem opnieuw aan.',
    },
  },

  ended: 'Het gesprek is afgelopen.',
  endings: {
    elsewhere: () => 'Het gesprek gaat verder in een ander venster.',
    left: () => 'U hebt het gesprek verlaten.',
    ended_by_client: () => 'Het gesprek is beëindigd.',
    room_empty: () => 'Het gesprek is beëindigd omdat u te lang weg was.',
    agent_left: (name) => `${name} heeft het gesprek verlaten.`,
    time_limit: (name) => `Het gesprek heeft de tijdslimiet van ${name} bereikt.`,
    budget_reached: (name) => `${name} heeft geen tijd meer voor dit gesprek.`,
    worker_lost: (name) => `De computer van ${name} viel uit, en er was geen andere vrij.`,
    service_stopped: () => 'Het gesprek is beëindigd omdat de dienst is gestopt.',
    never_started: (name) => `${name} is niet aan het gesprek begonnen.`,
    room_closed: () => 'De mediaserver heeft de ruimte gesloten.',
  },
  callAgain: (name) => `${name} opnieuw bellen`,
  downloadTranscript: 'Verslag downloaden',
  copyTranscript: 'Verslag kopiëren',
  copied: 'Gekopieerd',
  notCopied: 'Niet gekopieerd',
  transcriptHead: (name, when) => `Gesprek met ${name} (een AI-avatar), beëindigd op ${when}`,
  rating: {
    question: 'Hoe was het gesprek?',
    good: 'Goed',
    bad: 'Slecht',
    whatWasGood: 'Wat was goed? (optioneel)',
    whatToImprove: 'Wat kan beter? (optioneel)',
    thanks: 'Dank u wel.',
    thanksForWords: 'Dank u wel. Uw opmerking is verzonden.',
    failed: 'Dit kon niet worden opgeslagen. Probeer het opnieuw.',
  },

  refusals: {
    not_found: () => [
      'Agent niet gevonden',
      'Misschien is de link verkeerd getypt of is de agent verwijderd.',
    ],
    private: () => [
      'Voor dit gesprek is een geldige link nodig',
      'Misschien is de link onvolledig of verlopen. Vraag om een nieuwe.',
    ],
    full: () => ['Alle lijnen zijn bezet', 'Probeer het over een paar minuten opnieuw.'],
    too_often: () => [
      'Te veel gesprekken',
      'Vanaf uw netwerk zijn het afgelopen uur te veel gesprekken begonnen.',
    ],
    used_up: (name) => [
      `${name} neemt op dit moment geen gesprekken aan`,
      'De kostenlimiet voor gesprekken is bereikt.',
    ],
    unreachable: (name) => [
      `${name} is niet bereikbaar`,
      'De dienst reageert niet. Controleer uw verbinding en probeer het opnieuw.',
    ],
    not_allowed: () => [
      'Dit gesprek is hier niet beschikbaar',
      'Vraag het aan de eigenaar van deze pagina.',
    ],
    no_media: (name) => [
      `Geen verbinding met ${name}`,
      'Beeld en geluid gebruiken een aparte verbinding, en de mediaserver reageert niet. Misschien blokkeert een firewall de verbinding.',
    ],
    failed: (name) => [`${name} is niet beschikbaar`, 'Er ging iets mis. Probeer het opnieuw.'],
  },
  localFirefox:
    'Firefox maakt geen verbinding met een mediaserver op dezelfde computer. Gebruik een andere browser, of zet media.peerconnection.ice.loopback in about:config op true.',
  tryAgain: 'Opnieuw proberen',
  tryAgainWhen: (when) => `Probeer het ${when} opnieuw.`,
};
