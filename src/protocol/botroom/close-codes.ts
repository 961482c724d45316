import { END_REASONS, type EndReason } from '../end-reasons.ts';

/**
 * Close codes of a botroom's socket. An `error` record with the reason comes first, unless the
 * client asked for the end. A message beyond the limit of the socket closes it with 1009, without a
 * record.
 */
export const BOTROOM_CLOSE = {
  ended: { code: 1000, message: 'The client ended the session.' },
  service_stopping: { code: 1001, message: 'The service is stopping.' },
  bad_record: { code: 4400, message: 'The record is not valid.' },
  wrong_token: { code: 4401, message: 'The token is not valid for this room.' },
  no_room: { code: 4404, message: 'There is no such room.' },
  too_slow: { code: 4408, message: 'More than ten seconds of sound were not read.' },
  replaced: { code: 4409, message: 'A newer connection replaced this one.' },
  session_over: { code: 4410, message: 'The session is over.' },
  too_much: { code: 4429, message: 'Too many records or bytes.' },
} as const;

export type BotroomCloseName = keyof typeof BOTROOM_CLOSE;

/** Message of `session_over`. */
export const sessionOver = (reason: EndReason): string => `The session is over: ${reason}.`;

/** The reason in a message of `sessionOver`. */
export const endReasonIn = (message: string): EndReason | undefined =>
  END_REASONS.find((reason) => message === sessionOver(reason));

/** False for an end that the client asked for, by a record or the API. */
export const isError = (name: BotroomCloseName, message: string): boolean =>
  name !== 'ended' && endReasonIn(message) !== 'ended_by_client';
