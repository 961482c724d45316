import type { Clock } from '#shared/clock.ts';
import { trackOf } from '#protocol/pictures/frames.ts';
import type { Assign, SpeechSource } from '#protocol/worker/gateway-messages.ts';
import type { Log } from '#shared/log.ts';
import type { DialMediaSocket } from '../../runtime/media-socket.ts';
import { BotroomSpeech } from './botroom/botroom-speech.ts';
import { BotroomTransport } from './botroom/botroom.ts';
import { MediaServerTransport } from './mediaserver/mediaserver.ts';
import { PipecatLink } from './pipecat/pipecat-link.ts';
import type { RoomRelay } from './mediaserver/room-relay.ts';
import type { SpeechLink } from './speech-link.ts';
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

  open(assign: Assign): Transport {
    const { relay, tracks, dial, clock, log } = this.#parts;
    const { transport, room, speech, video } = assign;
    switch (transport) {
      case 'mediaserver': {
        const link = speech && this.#linkTo(speech, assign);
        return new MediaServerTransport({
          room,
          relay,
          video,
          tracks,
          clock,
          log,
          ...(link && { link }),
        });
      }
      case 'botroom': {
        const address = this.#addressOf(room, assign);
        return new BotroomTransport({ address, video: trackOf(video), dial, clock, log });
      }
    }
  }

  #linkTo(speech: SpeechSource, assign: Assign): SpeechLink {
    const { dial, clock, log } = this.#parts;
    switch (speech.protocol) {
      case 'botroom':
        return new BotroomSpeech({ address: this.#addressOf(speech, assign), dial, clock, log });
      case 'pipecat':
        return new PipecatLink({ source: speech, clock, log });
    }
  }

  #addressOf({ url, token = '' }: { url: string; token?: string }, { placement }: Assign) {
    return { controlUrl: this.#parts.controlUrl, path: url, token, epoch: placement.epoch };
  }
}
