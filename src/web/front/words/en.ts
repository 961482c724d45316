export const words = {
  /** BCP 47 tag of these texts. */
  language: 'en',
  headline: 'A face for your voice agent.',
  lede: 'Your agent speaks, and Troupe shows a talking person, in time with the voice. Face, voice and media server all run on this machine.',
  film: 'Recording of an avatar that speaks, without sound',
  pictureOf: (name: string) => `Picture of ${name}`,

  talkHeading: (name: string) => `Talk with ${name}.`,
  talkLede: 'A conversation, face to face. Face, voice and media server all run on this machine.',
  talkWith: (name: string) => `Talk with ${name}`,
  agent: 'Agent',
  noAgent: 'This account has no agent to talk with yet.',
  createAgent: 'Create an agent',
  tryAvatar: 'Try an avatar',

  signIn: 'Sign in to talk',
  readHow: 'Read how it works',
  operator: ['Do you run this service? Open the link that ', ' printed.'],
  linkSpent: 'This link was already used, or is older than the last start. Use the newest link.',
  adminPassword: 'Admin password',
  open: 'Open',
  wrongPassword: 'Wrong admin password.',

  unreachable: 'The service does not respond',
  unreachableAdvice: 'Check your connection, then try again.',
  failed: 'Something went wrong',
  failedAdvice: 'Try again in a few minutes.',
  tryAgain: 'Try again',
};
