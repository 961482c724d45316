import type { ClientCodec } from '../../../botrooms/client-codec.ts';
import type { CallOf } from '../opening.ts';
import { OjinCodec } from './ojin-codec.ts';
import { ojinRefusal } from './ojin-refusal.ts';

/** A client that is let in. */
export type ConnectedClient = {
  sessionId: string;
  /** Of the PCM that it sends. */
  sampleRate: number;
  /** The avatar's, in the caller's own room; null: pictures and sound go to the client. */
  identity: string | null;
  /** For the client's program. */
  notes: Record<string, unknown>;
};

type Protocol = {
  connected: (client: ConnectedClient) => ClientCodec;
  /** `status`: of the HTTP answer that would say the same. */
  refused: (status: number) => ClientCodec;
};

export const PROTOCOLS: Record<CallOf<'connect'>['protocol'], Protocol> = {
  ojin: { connected: (client) => new OjinCodec(client), refused: ojinRefusal },
};
