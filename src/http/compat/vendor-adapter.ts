/*
 * What another vendor's published plugin sends and wants to read, described once: a door only translates. The files of the doors hold
 * plain data and pure functions, so that the documentation is made of them too; no word of a vendor stands anywhere else.
 */
import type { RoomSignal } from '#protocol/room-signals.ts';

/** Where something is in a request: names joined by dots, from the body. `:name` is a part of the path. */
export type Place = string;

export type KeyForm =
  | { header: string; scheme?: 'Bearer' | 'Basic' }
  /** In the body. */
  | { field: Place };

/** What is read from a request. The fields that nobody reads are answered by name. */
export type Reads = {
  /** The caller's room and its token for the avatar; or whom a token is to be made for, on a media server whose key we hold. */
  room?: { url: Place; token: Place } | SeatPlaces;
  /** The first of them that names an avatar here is taken. */
  avatar?: Place[];
  /** What of the text found there is the avatar's id. */
  avatarId?: (text: string) => string;
  /** How long the session may last. */
  maxSeconds?: Place;
  /** Fields, with all that is in them, that change nothing here: they repeat what the room's token says, or have one value only. */
  known?: Place[];
};

export type SeatPlaces = {
  url: Place;
  room: Place;
  /** The avatar's. */
  identity: Place;
  name: Place;
  /** The identity of the agent that the avatar speaks for. */
  agent: Place;
};

export type Asker = { /** Any text of the request. */ asked: (place: Place) => string };

type Opening = Reads & {
  does: 'open';
  path: string;
  /** An earlier call's pass, and what that call has read; beside it, or in its place, the door's key. */
  pass?: KeyForm;
  /** Where a picture of the face may be: a file of a form, or the text of an address or of base64. The first one counts. */
  picture?: Place[];
  /** The field of a form that holds the body as JSON. */
  jsonField?: string;
  answer: (opened: Asker & { id: string; proof: string }) => object;
};

type Preparation = Reads & {
  does: 'prepare';
  path: string;
  key?: KeyForm[];
  /** The pass carries what was read to the call that opens the session. */
  answer: (prepared: Asker & { pass: string }) => object;
};

type Ending = {
  does: 'end';
  method: 'POST' | 'DELETE';
  path: string;
  session: Place;
  /** Where the opening's proof comes back, when the caller must show one. */
  proof?: Place;
  /** Without one the answer is empty. */
  answer?: (ended: { id: string }) => object;
};

type Listing = {
  does: 'list';
  path: string;
  answer: (avatars: { id: string; name: string }[]) => object;
};

export type Call = Opening | Preparation | Ending | Listing;

/** The one place to change in a builder's program, and what it comes from; `{address}` stands for the door's. */
export type Change = { package: string; code: string };

export type VendorAdapter = {
  /** Its place under /compat. */
  word: string;
  name: string;
  /** One of our keys in one of these forms; or a token made with a media server's key. */
  key: KeyForm[] | 'media server';
  calls: Call[];
  signals?: RoomSignal[];
  /** What an error's body holds beside `detail`. */
  error?: (status: number, message: string) => object;
  docs: { python?: Change; node?: Change; environment?: string[]; differs: string[] };
};
