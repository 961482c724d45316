import { Refusal, Unreachable } from '../api/answers.ts';
import { PageRefused, PasswordWanted } from './service.ts';

/** What went wrong, for a person: what it is, and what to do about it. */
export type Notice = {
  title: string;
  advice: string;
  canRetry: boolean;
  /** The admin password would help. */
  wantsPassword?: true;
};

export function noticeOf(error: unknown): Notice {
  if (error instanceof PageRefused) {
    return {
      title: 'This page only works on the machine that runs Troupe',
      advice: `Open http://localhost:${location.port || 80} in a browser there. From elsewhere, use the API with a key, as shown below. (${error.message})`,
      canRetry: false,
    };
  }
  if (error instanceof PasswordWanted) {
    return {
      title: error.isWrong ? 'That is not the password' : 'Troupe asks for its admin password',
      advice:
        'This browser is not on the machine that runs Troupe. Whoever runs it has set TROUPE_ADMIN_PASSWORD there.',
      canRetry: false,
      wantsPassword: true,
    };
  }
  if (error instanceof Unreachable) {
    return {
      title: 'Troupe does not answer',
      advice: 'It may have been stopped. Start it with npm start, then try again.',
      canRetry: true,
    };
  }
  if (error instanceof MediaServerGone) {
    return {
      title: 'The media server does not answer',
      advice: `Sound and picture travel through ${error.url}, and nothing is there. Look at what npm start printed, then try again.`,
      canRetry: true,
    };
  }
  if (error instanceof NoPicture) {
    return {
      title: 'The avatar did not arrive',
      advice:
        'The session was accepted, but no picture came. The log of npm start says what the worker met.',
      canRetry: true,
    };
  }
  if (error instanceof Refusal && error.status === 503) {
    const wait = error.retryAfterSeconds;
    return {
      title: 'Every avatar is busy',
      advice: `No worker has a free slot just now. ${
        wait ? `Try again in ${wait} seconds, or end` : 'End'
      } a session that is no longer needed.`,
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

/** The media server cannot be reached from this browser. */
export class MediaServerGone extends Error {
  override readonly name = 'MediaServerGone';
  readonly url: string;

  constructor(url: string, options?: ErrorOptions) {
    super('the media server cannot be reached', options);
    this.url = url;
  }
}

/** Joined, and nobody showed a picture. */
export class NoPicture extends Error {
  override readonly name = 'NoPicture';
}

const endings: Record<string, [title: string, advice: string]> = {
  time_limit: [
    'Time is up',
    'A session from this page ends by itself after a while. Start another whenever you like.',
  ],
  worker_lost: [
    'The avatar was lost',
    'The worker that performed it stopped, and no other had a free slot in time.',
  ],
  service_stopped: ['Troupe was stopped', 'The session ended with it. Start it with npm start.'],
  ended_by_client: ['The session was ended', 'Somebody ended it over the API.'],
  room_closed: ['The room was closed', 'The media server ended it, or was started anew.'],
  room_refused: [
    'The avatar was not let in',
    'The media server refused its token. The log of npm start says why.',
  ],
  never_started: [
    'The avatar did not arrive',
    'The session was accepted, but the worker never began it. The log of npm start says what it met.',
  ],
};

/** Why a session ended, by the API's `end_reason`. */
export function noticeOfEnding(reason: string | null | undefined): Notice {
  const [title, advice] = endings[reason ?? ''] ?? [
    'The session ended',
    reason ? `The service gives the reason ${reason}.` : 'The avatar left the room.',
  ];
  return { title, advice, canRetry: true };
}
