import type { Clock } from '#shared/clock.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { Log } from '#shared/log.ts';
import type { DialMediaSocket } from '../../runtime/media-socket.ts';
import { BotroomTransport } from './botroom/botroom.ts';
import { MediaServerTransport } from './mediaserver.ts';
import type { RoomRelay } from './room-relay.ts';
import type { TrackShelf } from './track-shelf.ts';
import type { Transport } from './transport.ts';

type TransportsParts = {
  /** The control plane's address, which relays botrooms. */
  controlUrl: string;
  relay: RoomRelay;
  tracks: TrackShelf;
  dial: DialMediaSocket;
  clock: Clock;
  log: Log;
};

/** Opens the transport of each session. */
export class Transports {
  readonly #parts: TransportsParts;

  constructor(parts: TransportsParts) {
    this.#parts = parts;
  }

  open({ transport, room, video, placement }: Assign): Transport {
    const { controlUrl, relay, tracks, dial, clock, log } = this.#parts;
    switch (transport) {
      case 'mediaserver':
        return new MediaServerTransport({ room, relay, video, tracks, clock, log });
      case 'botroom': {
        const address = { controlUrl, path: room.url, token: room.token, epoch: placement.epoch };
        return new BotroomTransport({ address, video, dial, clock, log });
      }
    }
  }
}
