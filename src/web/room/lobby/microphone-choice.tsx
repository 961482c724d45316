import { LevelMeter } from '../../call/sound/level-meter.tsx';
import { deviceWords } from '../../call/devices/device-problems.ts';
import type { MicrophoneCheck } from './use-microphone-check.ts';

type Props = {
  isWanted: boolean;
  onWanted: (isWanted: boolean) => void;
  check: MicrophoneCheck;
};

/** Lets a person turn the microphone off, choose one, and test it before the call. */
export function MicrophoneChoice({ isWanted, onWanted, check }: Props) {
  const { state } = check;
  return (
    <fieldset className="lobby-sound">
      <legend>Microphone</legend>
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={isWanted}
          onChange={({ target }) => onWanted(target.checked)}
        />
        <span>{isWanted ? 'On when you join' : 'Off. You can type instead.'}</span>
      </label>
      {isWanted && state.type !== 'open' && (
        <button type="button" className="button button-small" onClick={check.open}>
          Test it
        </button>
      )}
      {state.type === 'open' && (
        <>
          <label className="device-menu">
            <span className="unseen">Choose a microphone</span>
            <select
              value={check.deviceId ?? ''}
              onChange={({ target }) => check.choose(target.value)}
            >
              {check.devices.map(({ deviceId, label }, index) => (
                <option key={deviceId} value={deviceId}>
                  {label || `Microphone ${index + 1}`}
                </option>
              ))}
            </select>
          </label>
          <LevelMeter level={check.level} isListening />
        </>
      )}
      {isWanted && state.type === 'refused' && (
        <p className="lobby-problem" role="alert">
          {deviceWords('microphone', state.problem)} You can type instead.
        </p>
      )}
    </fieldset>
  );
}
