import './own-speech.css';
import { useState, type ChangeEvent } from 'react';
import { LevelMeter } from '../sound/level-meter.tsx';
import {
  LONGEST_FILE_MINUTES,
  readSoundFile,
  SoundProblem,
  type ProblemName,
  type SoundFile,
} from './own-sound.ts';
import { soundProblems } from './sound-problems.ts';
import type { Avatar } from '../service.ts';
import type { useOwnSpeech } from './use-own-speech.ts';

type Props = { avatar: Avatar; own: ReturnType<typeof useOwnSpeech>; startsNewSession: boolean };

type Chosen =
  | { type: 'none' }
  | { type: 'reading'; name: string }
  | { type: 'read'; file: SoundFile }
  | { type: 'refused'; problem: ProblemName };

export function SoundFilePanel({ avatar, own, startsNewSession }: Props) {
  const [chosen, setChosen] = useState<Chosen>({ type: 'none' });
  const { speech } = own;
  const isBusy = speech.type !== 'silent' && speech.type !== 'refused';
  const problem =
    chosen.type === 'refused' ? chosen.problem : speech.type === 'refused' && speech.problem;

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    own.stop();
    setChosen({ type: 'reading', name: file.name });
    const read = await readSoundFile(file).then(
      (file): Chosen => ({ type: 'read', file }),
      (error: unknown): Chosen => ({
        type: 'refused',
        problem: error instanceof SoundProblem ? error.problem : 'failed',
      }),
    );
    setChosen(read);
    // Allows choosing the same file again after a change.
    target.value = '';
  };

  return (
    <div className="own">
      <p className="own-title">{avatar.name} speaks a recording</p>
      <div className="own-file">
        <span>{nameOf(chosen)}</span>
        <small role="status">{hintOf(chosen)}</small>
        <input type="file" accept="audio/*" aria-label="Audio file" onChange={choose} />
      </div>
      {startsNewSession && <p className="soft">After typed text, this starts a new session.</p>}
      <div className="own-actions">
        <button
          type="button"
          className="button button-lit"
          disabled={chosen.type !== 'read' || isBusy}
          onClick={() => chosen.type === 'read' && own.startFile(chosen.file)}
        >
          Speak
        </button>
        <button type="button" className="button" disabled={!isBusy} onClick={own.stop}>
          Stop
        </button>
      </div>
      {isBusy && <LevelMeter level={own.level} isListening={isBusy} />}
      {problem && (
        <p className="problem" role="alert">
          {soundProblems[problem]}
        </p>
      )}
    </div>
  );
}

function nameOf(chosen: Chosen): string {
  switch (chosen.type) {
    case 'reading':
      return chosen.name;
    case 'read':
      return chosen.file.name;
    case 'none':
    case 'refused':
      return 'Choose an audio file, or drop it here';
  }
}

function hintOf(chosen: Chosen): string {
  switch (chosen.type) {
    case 'reading':
      return 'Reading the file';
    case 'read':
      return `${lengthOf(chosen.file)}. Choose another, or drop it here`;
    case 'none':
    case 'refused':
      return `Up to ${LONGEST_FILE_MINUTES} minutes of speech. The audio is sent only to your media server.`;
  }
}

function lengthOf({ samples }: SoundFile): string {
  const seconds = Math.max(1, Math.round(samples.duration));
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
