import './own-speech.css';
import { LevelMeter } from '../sound/level-meter.tsx';
import { soundProblems } from './sound-problems.ts';
import type { Avatar } from '../service.ts';
import type { useOwnSpeech } from './use-own-speech.ts';

type Props = { avatar: Avatar; own: ReturnType<typeof useOwnSpeech>; startsNewSession: boolean };

export function MicrophonePanel({ avatar, own, startsNewSession }: Props) {
  const { speech } = own;
  const isOn = speech.type === 'awaiting' || speech.type === 'speaking';

  return (
    <div className="own">
      <p className="own-title">{avatar.name} repeats what you say</p>
      <p className="soft">
        The avatar speaks a moment later, in your voice. Use headphones, so that the microphone does
        not pick it up.{startsNewSession && ' After typed text, this starts a new session.'}
      </p>
      <div className="own-actions">
        {speech.type === 'silent' || speech.type === 'refused' ? (
          <button type="button" className="button button-lit" onClick={own.startMicrophone}>
            Start microphone
          </button>
        ) : (
          <button type="button" className="button" onClick={own.stop}>
            Stop
          </button>
        )}
      </div>
      {isOn && <LevelMeter level={own.level} isListening={isOn} />}
      <p className="soft" role="status">
        {words(own, avatar)}
      </p>
      {speech.type === 'refused' && (
        <p className="problem" role="alert">
          {soundProblems[speech.problem]}
        </p>
      )}
    </div>
  );
}

function words({ speech }: ReturnType<typeof useOwnSpeech>, avatar: Avatar): string {
  switch (speech.type) {
    case 'opening':
      return 'Allow this page to use your microphone.';
    case 'awaiting':
      return `The microphone is on. ${avatar.name} is not listening yet.`;
    case 'speaking':
      return `The microphone is on, and ${avatar.name} is listening. Say something.`;
    case 'silent':
    case 'refused':
      return '';
  }
}
