import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'fr',
  headline: 'Un visage pour votre agent vocal.',
  lede: 'Votre agent parle, et Troupe montre une personne qui parle, au rythme de sa voix. Le visage, la voix et le serveur multimédia fonctionnent sur cette machine.',
  film: 'Enregistrement d’un avatar qui parle, sans le son',
  pictureOf: (name) => `Photo de ${name}`,

  talkHeading: (name) => `Parlez avec ${name}.`,
  talkLede:
    'Une conversation, face à face. Le visage, la voix et le serveur multimédia fonctionnent sur cette machine.',
  talkWith: (name) => `Parler avec ${name}`,
  agent: 'Agent',
  noAgent: 'Ce compte n’a pas encore d’agent avec qui parler.',
  createAgent: 'Créer un agent',
  tryAvatar: 'Essayer un avatar',

  signIn: 'Se connecter pour parler',
  readHow: 'Comprendre le fonctionnement',
  operator: ['Vous exploitez ce service ? Ouvrez le lien affiché par ', '.'],
  linkSpent:
    'Ce lien a déjà été utilisé ou date d’avant le dernier démarrage. Utilisez le plus récent.',
  adminPassword: 'Mot de passe administrateur',
  open: 'Ouvrir',
  wrongPassword: 'Le mot de passe administrateur est incorrect.',

  unreachable: 'Le service ne répond pas',
  unreachableAdvice: 'Vérifiez votre connexion, puis réessayez.',
  failed: 'Une erreur s’est produite',
  failedAdvice: 'Veuillez réessayer dans quelques minutes.',
  tryAgain: 'Réessayer',
};
