import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'nl',
  headline: 'Een gezicht voor uw spraakagent.',
  lede: 'Uw agent spreekt, en Troupe toont een pratende persoon, gelijk met de stem. Gezicht, stem en mediaserver draaien op deze computer.',
  film: 'Opname van een avatar die praat, zonder geluid',
  pictureOf: (name) => `Foto van ${name}`,

  talkHeading: (name) => `Praat met ${name}.`,
  talkLede:
    'Een gesprek van aangezicht tot aangezicht. Gezicht, stem en mediaserver draaien op deze computer.',
  talkWith: (name) => `Praat met ${name}`,
  agent: 'Agent',
  noAgent: 'Dit account heeft nog geen agent om mee te praten.',
  createAgent: 'Agent aanmaken',
  tryAvatar: 'Avatar proberen',

  signIn: 'Aanmelden om te praten',
  readHow: 'Lees hoe het werkt',
  operator: ['Beheert u deze dienst? Open de link die ', ' heeft getoond.'],
  linkSpent: 'Deze link is al gebruikt of is ouder dan de laatste start. Gebruik de nieuwste.',
  adminPassword: 'Beheerderswachtwoord',
  open: 'Openen',
  wrongPassword: 'Het beheerderswachtwoord is onjuist.',

  unreachable: 'De dienst reageert niet',
  unreachableAdvice: 'Controleer uw verbinding en probeer het opnieuw.',
  failed: 'Er ging iets mis',
  failedAdvice: 'Probeer het over een paar minuten opnieuw.',
  tryAgain: 'Opnieuw proberen',
};
