import type { IgnoreReason } from '#protocol/room-terms.ts';
import type { RefusalReason } from '../state/call-state.ts';
import { deviceProblems, localFirefox, talk } from './en-everywhere.ts';

type Ending =
  | 'elsewhere'
  | 'left'
  | 'ended_by_client'
  | 'room_empty'
  | 'agent_left'
  | 'time_limit'
  | 'budget_reached'
  | 'worker_lost'
  | 'service_stopped'
  | 'never_started'
  | 'room_closed';

/** By the API's `end_reason`, or `left` and `elsewhere` for the user's own actions. */
const endings: Record<Ending, (name: string) => string> = {
  elsewhere: () => 'The call continues in another window.',
  left: () => 'You left the call.',
  ended_by_client: () => 'The call was ended.',
  room_empty: () => 'The call ended because you were away for too long.',
  agent_left: (name) => `${name} left the call.`,
  time_limit: (name) => `The call reached the time limit for ${name}.`,
  budget_reached: (name) => `${name} has no more time for this call.`,
  worker_lost: (name) => `The machine running ${name} failed, and no other machine was free.`,
  service_stopped: () => 'The call ended because the service was stopped.',
  never_started: (name) => `${name} did not join the call.`,
  room_closed: () => 'The media server closed the room.',
};

/** Why there is no call, and what to do. */
const refusals: Record<RefusalReason, (name: string) => [title: string, advice: string]> = {
  not_found: () => ['Agent not found', 'The link may be mistyped, or the agent was removed.'],
  private: () => [
    'This call needs a valid link',
    'The link may be incomplete or may have expired. Ask for a new one.',
  ],
  full: () => ['All lines are busy', 'Try again in a few minutes.'],
  too_often: () => ['Too many calls', 'Your network started too many calls in the last hour.'],
  used_up: (name) => [
    `${name} is not taking calls right now`,
    'The cost limit for calls has been reached.',
  ],
  unreachable: (name) => [
    `${name} cannot be reached`,
    'The service does not respond. Check your connection, then try again.',
  ],
  not_allowed: () => ['This call is not available here', 'Ask the owner of this page.'],
  no_media: (name) => [
    `Could not connect to ${name}`,
    'Audio and video use a separate connection, and the media server does not respond. A firewall may block it.',
  ],
  failed: (name) => [`${name} is not available`, 'Something went wrong. Try again.'],
};

export const words = {
  /** BCP 47 tag of these texts. */
  language: 'en',
  betweenSentences: ' ',
  /** Between a title and the sentence after it. */
  afterTitle: '. ',

  call: 'Call',
  callWith: (name: string) => `Call with ${name}`,
  oneMoment: 'One moment…',
  someAgent: 'The agent',
  aiLabel: 'AI avatar',
  talk,
  cannotHear: (name: string) => `${name} cannot hear you, but reads what you type.`,
  noMicrophone: 'No microphone is needed.',
  keepsTranscript: (name: string) => `${name}’s operator keeps a transcript of the call.`,
  mayLook: (name: string) =>
    `While your camera is on, ${name} may look at its picture when you speak or write. Pictures are sent to the agent’s language model. This service does not store them.`,
  startCall: 'Start call',

  status: {
    returning: 'Returning to your call',
    asking: 'Calling',
    joining: 'Connecting',
    coming: (name: string) => `${name} is joining`,
    waiting: 'Waiting for a free line',
    live: 'Live',
    away: (name: string) => `${name} is reconnecting`,
    rejoining: 'Connection lost. Reconnecting…',
  },
  listening: 'Listening',
  thinking: 'Thinking',
  isThinking: (name: string) => `${name} is thinking.`,
  linesBusy: 'All lines are busy',
  connectedWhenFree: 'You will be connected as soon as a line is free.',
  numberInLine: (position: string) => `You are number ${position} in line.`,
  noVideo: 'No video yet',
  videoOf: (name: string) => `Video of ${name}`,
  turnOnSound: 'Turn on sound',

  controls: 'Call controls',
  mute: 'Mute',
  unmute: 'Unmute',
  cameraOff: 'Camera off',
  cameraOn: 'Camera on',
  canSee: (name: string) => `${name} can see you`,
  cannotSee: (name: string) => `${name} cannot see pictures in this call. Your camera is off.`,
  chat: 'Chat',
  endCall: 'End call',
  cancel: 'Cancel',
  close: 'Close',
  talkTo: (name: string) => `Talk to ${name}`,
  backToCall: 'Back to the call',

  you: 'You',
  youWaiting: (name: string) => `You · sent when ${name} is ready`,
  conversation: 'Conversation',
  transcript: 'Transcript',
  conversationHint: 'The conversation appears here.',
  message: (name: string) => `Message ${name}`,
  send: 'Send',
  hideNotice: 'Hide this notice',
  ignored: {
    too_fast:
      'Your last message was not delivered, because you sent too many in a minute. Wait a moment, then send it again.',
    too_often:
      'Your last message was not delivered, because you have sent many in the last ten minutes. Wait a few minutes, then send it again.',
    too_many:
      'Your last message was not delivered, because this call has reached its limit of messages.',
    incomplete: 'Your last message was not delivered. Send it again.',
  } satisfies Record<IgnoreReason, string>,
  deviceProblems,

  ended: 'The call has ended.',
  endings,
  callAgain: (name: string) => `Call ${name} again`,
  downloadTranscript: 'Download transcript',
  copyTranscript: 'Copy transcript',
  copied: 'Copied',
  notCopied: 'Not copied',
  transcriptHead: (name: string, when: string) => `Call with ${name} (an AI avatar), ended ${when}`,
  rating: {
    question: 'How was the call?',
    good: 'Good',
    bad: 'Bad',
    whatWasGood: 'What was good? (optional)',
    whatToImprove: 'What should be better? (optional)',
    thanks: 'Thank you.',
    thanksForWords: 'Thank you. Your words were sent.',
    failed: 'This could not be saved. Please try again.',
  },

  refusals,
  localFirefox,
  tryAgain: 'Try again',
  /** `when`: such as “in 5 minutes”. */
  tryAgainWhen: (when: string) => `Try again ${when}.`,
};
