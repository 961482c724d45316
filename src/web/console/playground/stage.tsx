import type { RefObject } from 'react';
import { playground as t } from '../texts/playground.ts';
import type { PlaygroundRoom, RoomState } from './playground-room.ts';

type Props = {
  video: RefObject<HTMLVideoElement | null>;
  canvas: RefObject<HTMLCanvasElement | null>;
  audio: RefObject<HTMLAudioElement | null>;
  status: string;
  state: RoomState;
  room: RefObject<PlaygroundRoom | null>;
  leave: () => void;
};

export function Stage({ video, canvas, audio, status, state, room, leave }: Props) {
  const { phase, isSeen, isSoundBlocked, microphone } = state;
  const isLive = isSeen && phase.type === 'joined';
  return (
    <section className="card playground-stage">
      <div className="playground-face">
        {/* The transcript stands beside it. */}
        <video ref={video} data-shown={isLive} aria-label={t.face} muted playsInline autoPlay />
        <canvas ref={canvas} aria-hidden="true" />
        <audio ref={audio} autoPlay />
        <p className="playground-status" role="status" data-live={isLive}>
          {status}
        </p>
      </div>
      <div className="actions">
        {phase.type === 'over' ? (
          <button type="button" className="button button-lit" onClick={leave}>
            {t.again}
          </button>
        ) : (
          <>
            {isSoundBlocked && (
              <button
                type="button"
                className="button button-lit"
                onClick={() => room.current?.allowSound()}
              >
                {t.sound}
              </button>
            )}
            <button
              type="button"
              className="button"
              disabled={phase.type !== 'joined'}
              onClick={() => room.current?.turnMicrophone(!microphone.isOn)}
            >
              {microphone.isOn ? t.microphoneOff : t.microphoneOn}
            </button>
            <button type="button" className="button" onClick={leave}>
              {t.leave}
            </button>
          </>
        )}
      </div>
    </section>
  );
}
