import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'de',
  headline: 'Ein Gesicht für Ihren Sprachagenten.',
  lede: 'Ihr Agent spricht, und Troupe zeigt dazu im Takt der Stimme einen sprechenden Menschen. Gesicht, Stimme und Medienserver laufen auf diesem Rechner.',
  film: 'Aufnahme eines sprechenden Avatars, ohne Ton',
  pictureOf: (name) => `Bild von ${name}`,

  talkHeading: (name) => `Sprechen Sie mit ${name}.`,
  talkLede:
    'Ein Gespräch von Angesicht zu Angesicht. Gesicht, Stimme und Medienserver laufen auf diesem Rechner.',
  talkWith: (name) => `Mit ${name} sprechen`,
  agent: 'Agent',
  noAgent: 'In diesem Konto gibt es noch keinen Agenten, mit dem Sie sprechen können.',
  createAgent: 'Agenten anlegen',
  tryAvatar: 'Avatar ausprobieren',

  signIn: 'Anmelden und sprechen',
  readHow: 'So funktioniert es',
  operator: ['Betreiben Sie diesen Dienst? Öffnen Sie den Link, den ', ' ausgegeben hat.'],
  linkSpent:
    'Dieser Link wurde schon benutzt oder ist älter als der letzte Start. Verwenden Sie den neuesten.',
  adminPassword: 'Admin-Passwort',
  open: 'Öffnen',
  wrongPassword: 'Das Admin-Passwort ist falsch.',

  unreachable: 'Der Dienst antwortet nicht',
  unreachableAdvice: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es dann noch einmal.',
  failed: 'Etwas ist schiefgegangen',
  failedAdvice: 'Bitte versuchen Sie es in einigen Minuten noch einmal.',
  tryAgain: 'Noch einmal versuchen',
};
