import type { ClientCodec } from '../../../botrooms/client-codec.ts';
import type { CallOf } from '../opening.ts';
import { OjinCodec } from './ojin-codec.ts';
import { ojinRefusal } from './ojin-refusal.ts';

/** An admitted client. */
export type ConnectedClient = {
  sessionId: string;
  /** Rate of the client's PCM. */
  sampleRate: number;
  /** Participant identity of the avatar in the caller's room. Null: the client gets its pictures. */
  identity: string | null;
  /** Fields of `sessionReady` for the client's program. */
  notes: Record<string, unknown>;
};

type Protocol = {
  connected: (client: ConnectedClient) => ClientCodec;
  /** `status`: HTTP status of the refusal. */
  refused: (status: number) => ClientCodec;
};

export const PROTOCOLS: Record<CallOf<'connect'>['protocol'], Protocol> = {
  ojin: { connected: (client) => new OjinCodec(client), refused: ojinRefusal },
};
