import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'it',
  headline: 'Un volto per il Suo agente vocale.',
  lede: 'Il Suo agente parla, e Troupe mostra una persona che parla, a tempo con la voce. Volto, voce e server multimediale funzionano su questa macchina.',
  film: 'Registrazione di un avatar che parla, senza audio',
  pictureOf: (name) => `Foto di ${name}`,

  talkHeading: (name) => `Parli con ${name}.`,
  talkLede:
    'Una conversazione, faccia a faccia. Volto, voce e server multimediale funzionano su questa macchina.',
  talkWith: (name) => `Parla con ${name}`,
  agent: 'Agente',
  noAgent: 'Questo account non ha ancora un agente con cui parlare.',
  createAgent: 'Crea un agente',
  tryAvatar: 'Prova un avatar',

  signIn: 'Accedi per parlare',
  readHow: 'Come funziona',
  operator: ['Gestisce Lei questo servizio? Apra il link mostrato da ', '.'],
  linkSpent: 'Questo link è già stato usato o è precedente all’ultimo avvio. Usi il più recente.',
  adminPassword: 'Password di amministratore',
  open: 'Apri',
  wrongPassword: 'La password di amministratore è errata.',

  unreachable: 'Il servizio non risponde',
  unreachableAdvice: 'Controlli la connessione, poi riprovi.',
  failed: 'Qualcosa non ha funzionato',
  failedAdvice: 'Riprovi fra qualche minuto.',
  tryAgain: 'Riprova',
};
