import type { ClientCodec } from '../../../botrooms/client-codec.ts';
import type { CallOf } from '../opening.ts';
import type { ConnectedClient } from './connected-client.ts';
import { OjinCodec } from './ojin-codec.ts';
import { ojinRefusal } from './ojin-refusal.ts';

type Protocol = {
  connected: (client: ConnectedClient) => ClientCodec;
  /** `status`: HTTP status of the refusal. */
  refused: (status: number) => ClientCodec;
};

export const PROTOCOLS: Record<CallOf<'connect'>['protocol'], Protocol> = {
  ojin: { connected: (client) => new OjinCodec(client), refused: ojinRefusal },
};
