import './controls.css';
import { lazy, Suspense, useId, useState } from 'react';
import { Icon } from '../icons.tsx';
import { TrackLevel } from './track-level.tsx';
import type { Call } from '../use-call.ts';

/** Its packages are as large as the rest of the page, and few visitors open it. */
const DeviceMenu = lazy(async () => ({ default: (await import('./device-menu.tsx')).DeviceMenu }));

export function Controls({ call }: { call: Call }) {
  const { state, room } = call;
  const { microphone, camera } = state.devices;
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const isLive = state.phase.type === 'live';

  return (
    <div className="controls-place">
      {isOpen && room && (
        <div id={id} className="device-menus">
          <Suspense>
            <DeviceMenu kind="audioinput" label="Microphone" room={room} />
            <DeviceMenu kind="videoinput" label="Camera" room={room} />
            <DeviceMenu kind="audiooutput" label="Speaker" room={room} />
          </Suspense>
        </div>
      )}
      <div className="controls" role="group" aria-label="Call controls">
        {state.hears !== false && (
          <button
            type="button"
            className="control"
            aria-pressed={microphone.isOn}
            disabled={!isLive}
            onClick={() => call.turn('microphone', !microphone.isOn)}
          >
            <Icon name="microphone" isOff={!microphone.isOn} />
            {microphone.isOn ? 'Mute' : 'Unmute'}
            {microphone.isOn && room && <TrackLevel room={room} />}
          </button>
        )}
        <button
          type="button"
          className="control"
          aria-pressed={camera.isOn}
          disabled={!isLive}
          onClick={() => call.turn('camera', !camera.isOn)}
        >
          <Icon name="camera" isOff={!camera.isOn} />
          {camera.isOn ? 'Camera off' : 'Camera on'}
        </button>
        <button
          type="button"
          className="control"
          aria-expanded={isOpen}
          aria-controls={id}
          disabled={!isLive}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="devices" />
          Devices
        </button>
        <button type="button" className="control control-leave" onClick={call.leave}>
          <Icon name="leave" />
          Leave
        </button>
      </div>
    </div>
  );
}
