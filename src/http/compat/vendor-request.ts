import { Fault, problem, type Problem } from '../../errors.ts';
import type { FieldPath, RequestFields, SeatFields } from './vendor-adapter.ts';
import { valueAt, fieldsExcept, locOf } from './field-paths.ts';
import { fittedSize } from './picture-size.ts';

/**
 * The values of a vendor's request. An earlier call of the same session start may have given some.
 */
export type VendorRequest = {
  room?: { url: string; token: string };
  seat?: Seat;
  /** Candidate avatar names, in order of preference. */
  avatars: string[];
  maxSeconds?: number;
  /** Size of the picture. */
  size?: { width: number; height: number };
  /** Fields that the adapter does not read. */
  unused: string[];
};

/** The participant, room and media server to make a token for. */
type Seat = { url: string; room: string; identity: string; name: string; agent: string };

type Source = { body: unknown; params: unknown };

/** Same limits as `POST /v1/sessions`: an assignment must fit in one worker message. */
const MAX_URL = 2048;
const MAX_TOKEN = 16_384;
const MAX_NAME = 256;

/** Anything else cannot be an avatar and is kept out of the log. */
const isAvatarName = /^[^\0]{1,100}$/;

const MAX_SESSION_SECONDS = 10_080 * 60;

/** Throws a 422 that lists all invalid and missing fields. */
export function readVendorRequest(
  fields: RequestFields,
  source: Source,
  { isRoomKnown, keyFields }: { isRoomKnown: boolean; keyFields: FieldPath[] },
): VendorRequest {
  const body = source.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw problem('object_type', ['body'], 'Input should be a valid object', null);
  }
  const problems: Problem[] = [];
  const room = isRoomKnown ? {} : readRoom(fields.room, body, problems);
  const maxSeconds = readSeconds(fields.maxSeconds, body, problems);
  const size = readSize(fields.size, body);
  if (problems.length > 0) throw new Fault('invalid_request', { problems });

  const avatarId = fields.avatarId ?? ((text) => text);
  return {
    ...room,
    avatars: (fields.avatar ?? [])
      .map((path) => textOf(source, path))
      .map(avatarId)
      .filter((name) => isAvatarName.test(name)),
    ...(maxSeconds !== undefined && { maxSeconds }),
    ...(size && { size }),
    unused: fieldsExcept(body, [...pathsOf(fields), ...keyFields]),
  };
}

/** Text of a body field, or of a path parameter for `:name`; empty for anything else. */
export function textOf({ body, params }: Source, path: FieldPath): string {
  const value = path.startsWith(':') ? valueAt(params, path.slice(1)) : valueAt(body, path);
  return typeof value === 'string' ? value : '';
}

const pathsOf = ({
  room,
  avatar = [],
  maxSeconds,
  size,
  known = [],
}: RequestFields): FieldPath[] => [
  ...Object.values(room ?? {}),
  ...Object.values(size ?? {}),
  ...avatar,
  ...known,
  ...(maxSeconds === undefined ? [] : [maxSeconds]),
];

function readRoom(
  paths: RequestFields['room'],
  body: object,
  problems: Problem[],
): Pick<VendorRequest, 'room' | 'seat'> {
  if (!paths) return {};
  const text = (path: FieldPath, max: number) => readText(body, path, max, problems);
  const url = text(paths.url, MAX_URL);
  if ('token' in paths) return { room: { url, token: text(paths.token, MAX_TOKEN) } };
  return { seat: { url, ...readSeat(paths, (path) => text(path, MAX_NAME)) } };
}

const readSeat = (paths: SeatFields, text: (path: FieldPath) => string): Omit<Seat, 'url'> => ({
  room: text(paths.room),
  identity: text(paths.identity),
  name: text(paths.name),
  agent: text(paths.agent),
});

function readText(body: object, path: FieldPath, max: number, problems: Problem[]): string {
  const value = valueAt(body, path);
  // Never repeat the input: it may be a token.
  const refuse = (type: string, msg: string) => {
    problems.push({ type, loc: locOf(path), msg, input: null });
    return '';
  };
  if (value === undefined) return refuse('missing', 'Field required');
  if (typeof value !== 'string') return refuse('string_type', 'Input should be a valid string');
  if (value === '')
    return refuse('string_too_short', 'Input must NOT have fewer than 1 characters');
  if (value.length > max) {
    return refuse('string_too_long', `Input must NOT have more than ${max} characters`);
  }
  // PostgreSQL text cannot contain NUL.
  if (value.includes('\0')) return refuse('value_error', 'Input must NOT have NUL characters');
  return value;
}

function readSeconds(path: FieldPath | undefined, body: object, problems: Problem[]) {
  const value = path === undefined ? undefined : valueAt(body, path);
  if (path === undefined || value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return Math.min(value, MAX_SESSION_SECONDS);
  const msg = 'Input should be a number of seconds greater than 0';
  const input = typeof value === 'number' ? value : null;
  problems.push({ type: 'greater_than', loc: locOf(path), msg, input });
  return undefined;
}

/** Anything but two positive numbers is no size: the session is then shown in its usual one. */
function readSize(paths: RequestFields['size'], body: object): VendorRequest['size'] {
  if (!paths) return undefined;
  const [width, height] = [valueAt(body, paths.width), valueAt(body, paths.height)];
  return isSide(width) && isSide(height) ? fittedSize({ width, height }) : undefined;
}

const isSide = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;
