import { Fault, problem, type Problem } from '../../errors.ts';
import type { Place, Reads, SeatPlaces } from './vendor-adapter.ts';
import { at, fieldsBeside, locOf } from './places.ts';

/** What a request wants, in our words. An earlier call of the same caller may have said a part of it. */
export type Asked = {
  room?: { url: string; token: string };
  seat?: Seat;
  /** Under which names the avatar was asked for, first choice first. */
  avatars: string[];
  maxSeconds?: number;
  /** Fields that nobody reads. */
  unused: string[];
};

/** For whom a token is to be made, in which room of which media server. */
export type Seat = { url: string; room: string; identity: string; name: string; agent: string };

export type Source = { body: unknown; params: unknown };

/** As the session's own request has them: an assignment must fit one message to a worker. */
const MAX_URL = 2048;
const MAX_TOKEN = 16_384;
const MAX_NAME = 256;

/** Whatever else a plugin sends in its place finds nobody, and is not for the log. */
const isAvatarName = /^[^\0]{1,100}$/;

const MAX_SESSION_SECONDS = 10_080 * 60;

/** Throws a list of all that is wrong or missing. */
export function readAsked(
  reads: Reads,
  source: Source,
  { isRoomKnown, keyFields }: { isRoomKnown: boolean; keyFields: Place[] },
): Asked {
  const body = source.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw problem('object_type', ['body'], 'Input should be a valid object', null);
  }
  const problems: Problem[] = [];
  const room = isRoomKnown ? {} : readRoom(reads.room, body, problems);
  const maxSeconds = readSeconds(reads.maxSeconds, body, problems);
  if (problems.length > 0) throw new Fault('invalid_request', { problems });

  const avatarId = reads.avatarId ?? ((text) => text);
  return {
    ...room,
    avatars: (reads.avatar ?? [])
      .map((place) => textOf(source, place))
      .map(avatarId)
      .filter((name) => isAvatarName.test(name)),
    ...(maxSeconds !== undefined && { maxSeconds }),
    unused: fieldsBeside(body, [...placesOf(reads), ...keyFields]),
  };
}

/** The text at a place of the body or, with a colon, in the path; empty for anything else. */
export function textOf({ body, params }: Source, place: Place): string {
  const value = place.startsWith(':') ? at(params, place.slice(1)) : at(body, place);
  return typeof value === 'string' ? value : '';
}

const placesOf = ({ room, avatar = [], maxSeconds, known = [] }: Reads): Place[] => [
  ...Object.values(room ?? {}),
  ...avatar,
  ...known,
  ...(maxSeconds === undefined ? [] : [maxSeconds]),
];

function readRoom(
  places: Reads['room'],
  body: object,
  problems: Problem[],
): Pick<Asked, 'room' | 'seat'> {
  if (!places) return {};
  const text = (place: Place, max: number) => readText(body, place, max, problems);
  const url = text(places.url, MAX_URL);
  if ('token' in places) return { room: { url, token: text(places.token, MAX_TOKEN) } };
  return { seat: { url, ...readSeat(places, (place) => text(place, MAX_NAME)) } };
}

const readSeat = (places: SeatPlaces, text: (place: Place) => string): Omit<Seat, 'url'> => ({
  room: text(places.room),
  identity: text(places.identity),
  name: text(places.name),
  agent: text(places.agent),
});

function readText(body: object, place: Place, max: number, problems: Problem[]): string {
  const value = at(body, place);
  // A token is a secret: what was given is not said back.
  const refuse = (type: string, msg: string) => {
    problems.push({ type, loc: locOf(place), msg, input: null });
    return '';
  };
  if (value === undefined) return refuse('missing', 'Field required');
  if (typeof value !== 'string') return refuse('string_type', 'Input should be a valid string');
  if (value === '')
    return refuse('string_too_short', 'Input must NOT have fewer than 1 characters');
  if (value.length > max) {
    return refuse('string_too_long', `Input must NOT have more than ${max} characters`);
  }
  // PostgreSQL keeps no NUL in text.
  if (value.includes('\0')) return refuse('value_error', 'Input must NOT have NUL characters');
  return value;
}

function readSeconds(place: Place | undefined, body: object, problems: Problem[]) {
  const value = place === undefined ? undefined : at(body, place);
  if (place === undefined || value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return Math.min(value, MAX_SESSION_SECONDS);
  const msg = 'Input should be a number of seconds greater than 0';
  problems.push({ type: 'greater_than', loc: locOf(place), msg, input: value });
  return undefined;
}
