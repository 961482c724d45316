import { localFirefoxAdvice } from '../call/texts/local-firefox.ts';
import { Refusal, Unreachable } from '../api/answers.ts';
import { LinkWanted, PasswordWanted } from '../access/page-access.ts';

/** An error as shown to a person: the problem, and what to do. */
export type Notice = {
  title: string;
  advice: string;
  canRetry: boolean;
  /** The card asks for the admin password. */
  wantsPassword?: true;
};

export function noticeOf(error: unknown): Notice {
  if (error instanceof LinkWanted) {
    return {
      title: 'Open this page with the link from npm start',
      advice: `${error.message} Each start prints a new one, for one browser. Your programs use the API with a key, as shown below.`,
      canRetry: false,
    };
  }
  if (error instanceof PasswordWanted) {
    return {
      title: error.isWrong ? 'Wrong password' : 'Enter the admin password',
      advice:
        'The password is the setting TROUPE_ADMIN_PASSWORD. Or use the link that npm start printed last.',
      canRetry: false,
      wantsPassword: true,
    };
  }
  if (error instanceof Unreachable) {
    return {
      title: 'Troupe does not respond',
      advice: 'It may have been stopped. Start it with npm start, then try again.',
      canRetry: true,
    };
  }
  if (error instanceof MediaServerGone) {
    return {
      title: 'The media server does not respond',
      advice: `Audio and video use ${error.url}, which does not respond. Check the output of npm start, then try again.${error.wasConnected ? '' : localFirefoxAdvice()}`,
      canRetry: true,
    };
  }
  if (error instanceof BotroomGone) {
    return {
      title: 'The botroom closed the connection',
      advice: `${error.reason || 'It gave no reason.'} The log of npm start may say more.`,
      canRetry: true,
    };
  }
  if (error instanceof NoPicture) {
    return {
      title: 'The avatar did not appear',
      advice:
        'The session was accepted, but no video arrived. The log of npm start shows what went wrong.',
      canRetry: true,
    };
  }
  if (error instanceof Refusal && error.status === 503) {
    const wait = error.retryAfterSeconds;
    return {
      title: 'All avatars are busy',
      advice: `No worker has a free slot. ${
        wait ? `Try again in ${wait} seconds, or end` : 'End'
      } a session that you no longer need.`,
      canRetry: true,
    };
  }
  if (error instanceof Refusal) {
    return { title: 'Troupe refused the session', advice: error.message, canRetry: true };
  }
  return {
    title: 'Something went wrong',
    advice: error instanceof Error ? error.message : String(error),
    canRetry: true,
  };
}

/** This browser cannot reach the media server. */
export class MediaServerGone extends Error {
  override readonly name = 'MediaServerGone';
  readonly url: string;
  readonly wasConnected: boolean;

  constructor(url: string, wasConnected: boolean, options?: ErrorOptions) {
    super('the media server cannot be reached', options);
    this.url = url;
    this.wasConnected = wasConnected;
  }
}

/** The socket of the botroom was refused, or closed. */
export class BotroomGone extends Error {
  override readonly name = 'BotroomGone';
  /** The room's own words; empty without any. */
  readonly reason: string;

  constructor(reason: string) {
    super('the connection to the botroom is closed');
    this.reason = reason;
  }
}

/** The room was joined, but no video arrived. */
export class NoPicture extends Error {
  override readonly name = 'NoPicture';
}

const endings: Record<string, [title: string, advice: string]> = {
  time_limit: [
    'Time is up',
    'Sessions from this page have a time limit. Start another one at any time.',
  ],
  worker_lost: [
    'The avatar was lost',
    'Its worker stopped, and no other worker had a free slot in time.',
  ],
  service_stopped: ['Troupe was stopped', 'Start it again with npm start.'],
  ended_by_client: ['The session was ended', 'Someone ended it through the API.'],
  room_closed: ['The room was closed', 'The media server closed it or was restarted.'],
  room_refused: [
    'The avatar could not join the room',
    'The media server rejected its token. The log of npm start shows why.',
  ],
  never_started: [
    'The avatar did not appear',
    'The session was accepted, but the worker never started it. The log of npm start shows why.',
  ],
};

/** Explains the API's `end_reason`. */
export function noticeOfEnding(reason: string | null | undefined): Notice {
  const [title, advice] = endings[reason ?? ''] ?? [
    'The session ended',
    reason ? `End reason: ${reason}.` : 'The avatar left the room.',
  ];
  return { title, advice, canRetry: true };
}
