/*
 * A vendor adapter describes the requests and answers of another vendor's published plugin.
 * Adapters are plain data and pure functions, so that the documentation can be generated from them
 * too. Nothing else in the code depends on a vendor.
 */
import type { RoomSignal } from '#protocol/room-signals.ts';

/**
 * Location of a value in a request: body field names joined by dots, or `:name` for a path
 * parameter.
 */
export type FieldPath = string;

export type KeyForm =
  | { header: string; scheme?: 'Bearer' | 'Basic' }
  /** In the body. */
  | { field: FieldPath };

/**
 * Locations of the values read from a request. All other fields are reported to the caller as
 * unused.
 */
export type RequestFields = {
  /** The caller's room and token for the avatar, or the seat to make a token for. */
  room?: { url: FieldPath; token: FieldPath } | SeatFields;
  /** Candidates in order; the first that names a known avatar is used. */
  avatar?: FieldPath[];
  /** Extracts the avatar's id from the value. */
  avatarId?: (text: string) => string;
  /** Time limit of the session in seconds. */
  maxSeconds?: FieldPath;
  /** Width and height of the picture. Out of range, they are fitted. */
  size?: { width: FieldPath; height: FieldPath };
  /**
   * Fields, including nested ones, that are ignored because they repeat the room token or are
   * constant.
   */
  known?: FieldPath[];
};

export type SeatFields = {
  url: FieldPath;
  room: FieldPath;
  /** Participant identity of the avatar. */
  identity: FieldPath;
  name: FieldPath;
  /** Participant identity of the agent that the avatar speaks for. */
  agent: FieldPath;
};

type WithField = {
  /** Text of the request at this path; empty if missing. */
  field: (path: FieldPath) => string;
};

type OpenedSession = WithField & {
  id: string;
  proof: string;
  /** With `transport: 'botroom'`. */
  botroom?: { url: string; token: string };
};

type Opening = RequestFields & {
  does: 'open';
  path: string;
  /** The client connects to a new botroom. Default: the avatar joins a room of a media server. */
  transport?: 'botroom';
  /** Location of an earlier call's pass. A header may contain the adapter's key instead. */
  pass?: KeyForm;
  /** Candidates for a picture: a form file, an address or base64 text. The first one is used. */
  picture?: FieldPath[];
  /** The form field that contains the body as JSON. */
  jsonField?: string;
  answer: (opened: OpenedSession) => object;
};

/**
 * The client's websocket opens the session and is its side of a botroom. Fields are read from the
 * query and headers. Refusals are sent on the socket.
 */
type Connection = RequestFields & {
  does: 'connect';
  path: string;
  /** The protocol of its messages. */
  protocol: 'ojin';
  /**
   * With this field, which must have this value, the avatar joins the caller's room; the socket
   * carries only its speech.
   */
  inRoom: { field: FieldPath; is: string };
  /** Sample rate of the client's PCM. */
  sampleRate: FieldPath;
};

type Preparation = RequestFields & {
  does: 'prepare';
  path: string;
  key?: KeyForm[];
  /** The pass carries the read values to the call that opens the session. */
  answer: (prepared: WithField & { pass: string }) => object;
};

type Ending = {
  does: 'end';
  method: 'POST' | 'DELETE';
  path: string;
  session: FieldPath;
  /** Location of the proof from opening the session, if required. */
  proof?: FieldPath;
  /** Omitted for an empty answer. */
  answer?: (ended: { id: string }) => object;
};

type Listing = {
  does: 'list';
  path: string;
  answer: (avatars: { id: string; name: string }[]) => object;
};

export type Call = Opening | Connection | Preparation | Ending | Listing;

/**
 * The change in a builder's code, and the package it uses. `{address}` stands for the adapter's
 * address.
 */
export type Change = { package: string; code: string };

export type VendorAdapter = {
  /** Path segment under /compat. */
  word: string;
  name: string;
  /** Accepted locations of a Troupe API key, or a token signed with a media server's key. */
  key: KeyForm[] | 'media server';
  calls: Call[];
  signals?: RoomSignal[];
  /** Fields added to an error body beside `detail`. */
  error?: (status: number, message: string) => object;
  docs: {
    python?: Change;
    node?: Change;
    /** A video service of a Pipecat pipeline. `{socket}` stands for the address with ws or wss. */
    pipecat?: Change;
    environment?: string[];
    differs: string[];
  };
};
