import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'it',
  betweenSentences: ' ',
  afterTitle: '. ',

  call: 'Chiamata',
  callWith: (name) => `Chiamata con ${name}`,
  oneMoment: 'Un momento…',
  someAgent: 'L’agente',
  aiLabel: 'Avatar IA',
  talk: (name) => `Parli o scriva, e ${name} Le risponde faccia a faccia.`,
  cannotHear: (name) => `${name} non può sentirLa, ma legge ciò che scrive.`,
  noMicrophone: 'Non serve un microfono.',
  keepsTranscript: (name) => `Il gestore di ${name} conserva una trascrizione della chiamata.`,
  mayLook: (name) =>
    `Finché la videocamera è accesa, ${name} può guardarne l’immagine quando Lei parla o scrive. Le immagini vengono inviate al modello linguistico dell’agente. Questo servizio non le conserva.`,
  startCall: 'Chiama',

  status: {
    returning: 'Ritorno alla chiamata',
    asking: 'Chiamata in corso',
    joining: 'Connessione',
    coming: (name) => `${name} sta arrivando`,
    waiting: 'In attesa di una linea libera',
    live: 'In diretta',
    away: (name) => `${name} si sta ricollegando`,
    rejoining: 'Connessione persa. Nuovo tentativo…',
  },
  listening: 'In ascolto',
  thinking: 'Sta pensando',
  isThinking: (name) => `${name} sta pensando.`,
  linesBusy: 'Tutte le linee sono occupate',
  connectedWhenFree: 'La collegheremo non appena si libera una linea.',
  numberInLine: (position) => `Lei è il numero ${position} in coda.`,
  noVideo: 'Ancora nessun video',
  videoOf: (name) => `Video di ${name}`,
  turnOnSound: 'Attiva l’audio',

  controls: 'Comandi della chiamata',
  mute: 'Disattiva',
  unmute: 'Attiva',
  cameraOff: 'Spegni la camera',
  cameraOn: 'Accendi la camera',
  canSee: (name) => `${name} può vederLa`,
  cannotSee: (name) =>
    `${name} non può vedere immagini in questa chiamata. La videocamera è spenta.`,
  chat: 'Chat',
  endCall: 'Riaggancia',
  cancel: 'Annulla',
  close: 'Chiudi',
  talkTo: (name) => `Parla con ${name}`,
  backToCall: 'Torna alla chiamata',

  you: 'Lei',
  youWaiting: (name) => `Lei · inviato appena ${name} è disponibile`,
  conversation: 'Conversazione',
  transcript: 'Trascrizione',
  conversationHint: 'La conversazione compare qui.',
  message: (name) => `Messaggio per ${name}`,
  send: 'Invia',
  hideNotice: 'Nascondi questo avviso',
  ignored: {
    too_fast:
      'Il Suo ultimo messaggio non è stato consegnato, perché ne ha inviati troppi in un minuto. Attenda un momento, poi lo invii di nuovo.',
    too_often:
      'Il Suo ultimo messaggio non è stato consegnato, perché ne ha inviati molti negli ultimi dieci minuti. Attenda qualche minuto, poi lo invii di nuovo.',
    too_many:
      'Il Suo ultimo messaggio non è stato consegnato, perché questa chiamata ha raggiunto il limite di messaggi.',
    incomplete: 'Il Suo ultimo messaggio non è stato consegnato. Lo invii di nuovo.',
  },
  deviceProblems: {
    microphone: {
      denied:
        'Il microfono è bloccato su questa pagina. Lo consenta accanto alla barra degli indirizzi, poi lo riattivi.',
      missing: 'Nessun microfono trovato. Ne colleghi uno, poi lo riattivi.',
      in_use: 'Non è stato possibile aprire il microfono. Forse lo usa un altro programma.',
      not_secure: 'I browser consentono il microfono solo sulle pagine https.',
      failed: 'Non è stato possibile aprire il microfono. Lo riattivi.',
    },
    camera: {
      denied:
        'La videocamera è bloccata su questa pagina. La consenta accanto alla barra degli indirizzi, poi la riaccenda.',
      missing: 'Nessuna videocamera trovata. Ne colleghi una, poi la riaccenda.',
      in_use: 'Non è stato possibile aprire la videocamera. Forse la usa un altro programma.',
      not_secure: 'I browser consentono la videocamera solo sulle pagine https.',
      failed: 'Non è stato possibile aprire la videocamera. La riaccenda.',
    },
  },

  ended: 'La chiamata è terminata.',
  endings: {
    elsewhere: () => 'La chiamata continua in un’altra finestra.',
    left: () => 'Ha lasciato la chiamata.',
    ended_by_client: () => 'La chiamata è stata terminata.',
    room_empty: () => 'La chiamata è terminata a causa di un’assenza troppo lunga.',
    agent_left: (name) => `${name} ha lasciato la chiamata.`,
    time_limit: (name) => `La chiamata ha raggiunto il tempo massimo di ${name}.`,
    budget_reached: (name) => `${name} non ha altro tempo per questa chiamata.`,
    worker_lost: (name) => `La macchina di ${name} si è guastata e nessun’altra era libera.`,
    service_stopped: () => 'La chiamata è terminata perché il servizio è stato arrestato.',
    never_started: (name) => `${name} non ha partecipato alla chiamata.`,
    room_closed: () => 'Il server multimediale ha chiuso la stanza.',
  },
  callAgain: (name) => `Richiama ${name}`,
  downloadTranscript: 'Scarica la trascrizione',
  copyTranscript: 'Copia la trascrizione',
  copied: 'Copiata',
  notCopied: 'Copia non riuscita',
  transcriptHead: (name, when) => `Chiamata con ${name} (un avatar IA), terminata il ${when}`,
  rating: {
    question: 'Com’è andata la chiamata?',
    good: 'Bene',
    bad: 'Male',
    whatWasGood: 'Che cosa Le è piaciuto? (facoltativo)',
    whatToImprove: 'Che cosa si può migliorare? (facoltativo)',
    thanks: 'Grazie.',
    thanksForWords: 'Grazie. Il Suo commento è stato inviato.',
    failed: 'Non è stato possibile salvare. Riprovi, per favore.',
  },

  refusals: {
    not_found: () => [
      'Agente non trovato',
      'Forse il link è scritto male, oppure l’agente è stato rimosso.',
    ],
    private: () => [
      'Per questa chiamata serve un link valido',
      'Forse il link è incompleto o scaduto. Ne chieda uno nuovo.',
    ],
    full: () => ['Tutte le linee sono occupate', 'Riprovi fra qualche minuto.'],
    too_often: () => [
      'Troppe chiamate',
      'Nell’ultima ora dalla Sua rete sono partite troppe chiamate.',
    ],
    used_up: (name) => [
      `${name} al momento non risponde alle chiamate`,
      'È stato raggiunto il limite di costo delle chiamate.',
    ],
    unreachable: (name) => [
      `${name} non è raggiungibile`,
      'Il servizio non risponde. Controlli la connessione, poi riprovi.',
    ],
    not_allowed: () => [
      'Questa chiamata non è disponibile qui',
      'Si rivolga al proprietario di questa pagina.',
    ],
    no_media: (name) => [
      `Impossibile collegarsi a ${name}`,
      'Audio e video usano una connessione separata, e il server multimediale non risponde. Forse un firewall la blocca.',
    ],
    failed: (name) => [
      `${name} non è disponibile`,
      'Qualcosa non ha funzionato. Riprovi, per favore.',
    ],
  },
  localFirefox:
    'Firefox non si collega a un server multimediale sulla stessa macchina. Usi un altro browser, oppure imposti media.peerconnection.ice.loopback su true in about:config.',
  tryAgain: 'Riprova',
  tryAgainWhen: (when) => `Riprovi ${when}.`,
};
