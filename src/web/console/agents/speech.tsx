import { useEffect, useRef, useState } from 'react';
import { ownPath } from '../../api/answers.ts';
import { SelectField } from '../parts/fields.tsx';
import { useRead } from '../service/queries.ts';
import type {
  Abilities,
  Avatar,
  Voice,
  VoiceList,
} from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import type { AgentDraft } from './draft.ts';
import { Hearing } from './hearing.tsx';
import { spokenLanguages } from './spoken-languages.ts';
import { LANGUAGES } from '#protocol/languages.ts';

const t = texts.agents;

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });
const nameOf = (language: string): string => languageNames.of(language) ?? language;

type SpeechProps = {
  draft: AgentDraft;
  change: (changed: Partial<AgentDraft>) => void;
  avatar: Avatar | undefined;
};

/** The language of the agent, whether it is heard, and the voice that speaks it. */
export function Speech({ draft, change, avatar }: SpeechProps) {
  const service = useRead<Abilities>('/v1/abilities').data;
  const voices = useRead<VoiceList>('/v1/voices').data?.data ?? [];
  const { language, stt, tts } = draft;
  const spoken = spokenLanguages(tts.apiId !== '', service);
  const isBuiltIn = tts.apiId === '' && service?.speaks.by === 'built_in';
  const ofFace = voices.find(({ id }) => id === avatar?.voice) ?? voices[0];
  const voice = voices.find(({ id }) => id === draft.voice) ?? ofFace;
  return (
    <>
      <SelectField
        name="language"
        label={t.language}
        value={language}
        choices={LANGUAGES.map((value) => ({
          value,
          label: spoken.includes(value) ? nameOf(value) : t.notSpoken(nameOf(value)),
        }))}
        change={(chosen) => change({ language: chosen })}
      />
      {!spoken.includes(language) && (
        <p className="warning" role="status">
          {t.noVoice(nameOf(language))}
        </p>
      )}
      {stt.apiId === '' && <Hearing language={language} name={nameOf(language)} />}
      {isBuiltIn && spoken.includes(language) && voice && ofFace && (
        <div className="voice-choice">
          <SelectField
            name="voice"
            label={t.builtInVoice}
            value={draft.voice}
            choices={[
              { value: '', label: t.voiceOfFace(ofFace.name) },
              ...voices.map(({ id, name, sex }) => ({ value: id, label: t.voiceNamed[sex](name) })),
            ]}
            change={(chosen) => change({ voice: chosen })}
          />
          <Listen voice={voice} />
        </div>
      )}
    </>
  );
}

/** Plays the recorded sentence of a voice. */
function Listen({ voice: { name, sample } }: { voice: Voice }) {
  const sound = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    setPlaying(false);
    setFailed(false);
  }, [sample]);
  const toggle = () => {
    if (isPlaying) return sound.current?.pause();
    setFailed(false);
    sound.current?.play().catch(() => setFailed(true));
  };
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={(isPlaying ? t.stopVoice : t.playVoice)(name)}
        onClick={toggle}
      >
        {isPlaying ? t.stop : t.play}
      </button>
      <audio
        ref={sound}
        src={ownPath(sample) ?? ''}
        preload="none"
        onPlaying={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
      {hasFailed && (
        <p className="field-fault" role="status">
          {t.notPlayed}
        </p>
      )}
    </>
  );
}
