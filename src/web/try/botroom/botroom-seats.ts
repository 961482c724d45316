/*
 * A botroom. The page takes the bot's only seat: it sends speech, and shows what a bot would pass
 * on to a viewer. Owns the socket, the player and the screen.
 */
import type { PlaybackHeader, PcmHeader } from '#protocol/botroom/headers.ts';
import { HELLO_VERSION, type OptionalRecord } from '#protocol/botroom/hello.ts';
import type { MediaRecord, RecordName } from '#protocol/botroom/records.ts';
import { VOICE_RATE } from '#protocol/voice/flite.ts';
import { PictureWatch } from '../../call/picture/picture-watch.ts';
import type { OpenedSession } from '../service.ts';
import type { SeatEvents, Seats, Stage } from '../session/seats.ts';
import { UtteranceLine, type Speak, type SpeechStream } from '../session/utterance-line.ts';
import { BotroomSocket } from './botroom-socket.ts';
import { captureSound } from './capture-sound.ts';
import { PictureScreen } from './picture-screen.ts';
import { SoundPlayer } from './sound-player.ts';

/** Longest piece of speech in one record. */
const PIECE_SAMPLES = VOICE_RATE / 5;
const HELLO = { version: HELLO_VERSION, wants: ['playback' satisfies OptionalRecord] };
const SPOKEN = { sample_rate: VOICE_RATE, num_channels: 1 } satisfies PcmHeader;

export class BotroomSeats implements Seats {
  readonly isTextOnly = false;
  readonly #stage: Stage;
  readonly #events: SeatEvents;
  readonly #line: UtteranceLine;
  readonly #socket: BotroomSocket;
  readonly #player: SoundPlayer;
  readonly #screen: PictureScreen;
  readonly #watch: PictureWatch;
  readonly #ready = Promise.withResolvers<void>();
  readonly #beganAt = performance.now();
  readonly #closed = new AbortController();
  /** After an interruption, until the avatar reports it: sound on the way is obsolete. */
  #isHushed = false;

  constructor(stage: Stage, speak: Speak, events: SeatEvents) {
    this.#stage = stage;
    this.#events = events;
    const outlet = {
      ready: () => this.#ready.promise,
      open: async () => this.#openStream(),
      onGaveUp: () => this.#wire('agent', 'no playback record, giving up'),
    };
    this.#line = new UtteranceLine(speak, outlet, events.dispatch);
    this.#socket = new BotroomSocket({
      onRecord: (record) => this.#handlers[record.type]?.(record),
      onDropped: () => events.dispatch({ type: 'presence', presence: 'rejoining' }),
      onReturned: () => this.#onReturned(),
      onLost: (error) => events.onLost(error),
    });
    this.#player = new SoundPlayer((isBlocked) =>
      events.dispatch({ type: 'sound_blocked', isBlocked }),
    );
    this.#watch = new PictureWatch(events);
    this.#screen = new PictureScreen({
      canvas: stage.canvas,
      now: () => this.#player.heardAt,
      onShown: () => this.#watch.shown(),
    });
    stage.level.listen(this.#player.sound);
    this.#followMute();
  }

  async join({ url, token = '' }: OpenedSession): Promise<void> {
    // This page's origin, which its content security policy allows, relays to the room.
    const address = new URL(new URL(url).pathname, location.href.replace(/^http/, 'ws'));
    await this.#socket.open(address.href, token);
    this.#greet();
  }

  say(...args: Parameters<Seats['say']>): void {
    this.#line.say(...args);
  }

  /** Resolves at once: the room holds speech until the avatar listens. */
  async voice(...[track, signal]: Parameters<Seats['voice']>): ReturnType<Seats['voice']> {
    const { sampleRate, stop } = await captureSound(track, (pcm, sample_rate) => {
      const header = { sample_rate, num_channels: 1 } satisfies PcmHeader;
      this.#socket.send('audio', header, pcm);
    });
    this.#wire('agent', `audio · ${sampleRate / 1000} kHz, mono`);
    const end = () => {
      stop();
      this.#socket.send('flush');
      this.#wire('agent', 'flush');
    };
    if (!signal.aborted) return end;
    end();
    return () => {};
  }

  get isSeen(): boolean {
    return this.#watch.isSeen;
  }

  async stop(): Promise<void> {
    if (!this.#line.stop()) return;
    this.#socket.send('interrupt');
    this.#wire('agent', 'interrupt');
    this.#isHushed = true;
    this.#player.clear();
  }

  async allowSound(): Promise<void> {
    await Promise.all([this.#player.wake(), this.#stage.level.wake()]);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#line.close();
    this.#socket.close();
    this.#watch.close();
    this.#screen.close();
    await this.#player.close();
  }

  #greet(): void {
    this.#socket.send('hello', HELLO);
    this.#wire('agent', 'hello');
  }

  #onReturned(): void {
    this.#greet();
    // The report on an interruption may be lost.
    this.#isHushed = false;
    this.#events.dispatch({ type: 'presence', presence: this.isSeen ? 'here' : 'away' });
  }

  #openStream(): SpeechStream {
    this.#wire('agent', `audio · ${VOICE_RATE / 1000} kHz, mono`);
    return {
      write: async (samples) => {
        for (let at = 0; at < samples.length; at += PIECE_SAMPLES) {
          const { buffer, byteOffset, byteLength } = samples.subarray(at, at + PIECE_SAMPLES);
          this.#socket.send('audio', SPOKEN, new Uint8Array(buffer, byteOffset, byteLength));
        }
      },
      close: async (seconds) => {
        this.#socket.send('flush');
        this.#wire('agent', `flush · ${seconds.toFixed(2)} s`);
      },
    };
  }

  /** The room sends other records only to clients that ask for them. */
  readonly #handlers: Partial<Record<RecordName, (record: MediaRecord) => void>> = {
    ready: () => {
      this.#wire('avatar', 'ready');
      this.#ready.resolve();
    },
    // It comes after the sound that it belongs to.
    video: ({ blob }) => this.#screen.show(blob, this.#player.latestAt ?? -Infinity),
    audio: ({ header, blob }) => {
      const { sample_rate, num_channels } = header as PcmHeader;
      if (!this.#isHushed) this.#player.play(blob, sample_rate, num_channels);
    },
    playback: ({ header }) => this.#onPlayback(header as PlaybackHeader),
    error: ({ header }) => this.#wire('avatar', `error · ${String(header['message'])}`),
  };

  #onPlayback({ event, position_ms = 0, interrupted = false }: PlaybackHeader): void {
    this.#isHushed = false;
    if (event === 'started') {
      this.#wire('avatar', 'playback started');
      return this.#line.started();
    }
    const heardSeconds = position_ms / 1000;
    const cut = interrupted ? ', interrupted' : '';
    this.#wire('avatar', `playback finished · ${heardSeconds.toFixed(2)} s${cut}`);
    this.#line.finished({ heardSeconds, isInterrupted: interrupted });
  }

  /** The stage mutes its audio element, which this transport does not use. */
  #followMute(): void {
    const { audio } = this.#stage;
    const follow = () => (this.#player.isMuted = audio.muted);
    audio.addEventListener('volumechange', follow, { signal: this.#closed.signal });
    follow();
  }

  #wire(from: 'agent' | 'avatar', text: string): void {
    const line = { atMs: performance.now() - this.#beganAt, from, text };
    this.#events.dispatch({ type: 'wire', line });
  }
}
