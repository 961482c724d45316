import { LevelMeter } from '../../sound/level-meter.tsx';
import { deviceWords } from '../call/devices.ts';
import type { MicrophoneCheck } from './use-microphone-check.ts';

type Props = {
  isWanted: boolean;
  onWanted: (isWanted: boolean) => void;
  check: MicrophoneCheck;
};

/** Whether to join with the microphone, and with which one; it can be tried before. */
export function MicrophoneChoice({ isWanted, onWanted, check }: Props) {
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
        <span>{isWanted ? 'On when you join' : 'Off: you write'}</span>
      </label>
      {isWanted && check.state === 'closed' && (
        <button type="button" className="button button-small" onClick={check.open}>
          Check it
        </button>
      )}
      {check.state === 'open' && (
        <>
          <label className="device-menu">
            <span className="unseen">Which microphone</span>
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
      {isWanted && check.problem && (
        <p className="lobby-problem" role="alert">
          {deviceWords('microphone', check.problem)} You can write meanwhile.
        </p>
      )}
    </fieldset>
  );
}
