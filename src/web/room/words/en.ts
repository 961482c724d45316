import { words as callWords } from '../../call/words/en.ts';

export const words = {
  ...callWords,

  pictureOf: (name: string) => `Picture of ${name}`,
  yourName: 'Your name',
  optional: '(optional)',
  join: 'Join',
  typeOnly: (name: string) => `Type, and ${name} answers face to face.`,
  dictateInstead:
    'To use your voice, press Dictate in the call: your browser turns your speech into text.',
  microphone: 'Microphone',
  camera: 'Camera',
  speaker: 'Speaker',
  onWhenYouJoin: 'On when you join',
  onWhileHeld: 'On while you hold the button',
  offType: 'Off. You can type instead.',
  youCanType: 'You can type instead.',
  testIt: 'Test it',
  chooseMicrophone: 'Choose a microphone',
  showCamera: (name: string) => `Show my camera to ${name}`,
  chooseCamera: 'Choose a camera',

  settings: 'Settings',
  leave: 'Leave',
  captions: 'Captions',
  captionSize: 'Caption size',
  captionSizes: { normal: 'Normal', large: 'Large', largest: 'Very large' },
  fullScreen: 'Full screen',
  leaveFullScreen: 'Exit full screen',
  pushToTalk: 'Push to talk',
  pushToTalkMeans: 'You are heard while you hold the space bar or the microphone button.',
  holdToTalk: 'Hold to talk',
  talking: 'You are heard',

  stopWaiting: 'Stop waiting',
  /** `when`: such as “in 5 seconds”. */
  nextTry: (when: string) => `Next try ${when}.`,
  tryingAgain: 'Trying again.',
  /** From two on. */
  triedSoFar: (times: string) => `Tried ${times} times so far.`,
  cannotHearNow: (name: string) => `${name} cannot hear you in this call, but reads what you type.`,
  nothingWasSaid: 'Nothing was said.',

  dictation: {
    start: 'Dictate',
    stop: 'Stop dictating',
    about: 'Your browser turns your speech into text. Some browsers send it to their vendor.',
    blocked: 'Your microphone is blocked on this page.',
    notAllowed: 'Your browser does not allow dictation on this page.',
    noSpeech: 'No speech was detected.',
    noMicrophone: 'No microphone was found.',
    network: 'Your browser could not reach its speech recognition service.',
    failed: 'Dictation failed. Try again.',
  },
};
