import './try-page.css';
import { useEffect, useState } from 'react';
import { PluginGuide } from '../plugin/plugin-guide.tsx';
import { AvatarPicker } from './avatars/avatar-picker.tsx';
import { OwnPhoto } from './avatars/own-photo.tsx';
import { PageAccess } from '../access/page-access.ts';
import { browserKeep, onCode, takeCode } from '../access/page-link.ts';
import { Panel } from './panel.tsx';
import { Service, type Avatar, type Transport } from './service.ts';
import { Stage } from './stage/stage.tsx';
import { useAvatars } from './avatars/use-avatars.ts';
import { useOwnSpeech } from './speech/use-own-speech.ts';
import { useSession } from './session/use-session.ts';
import { useVoice } from './speech/use-voice.ts';

const anyAvatar = { id: 'AVATAR_ID', name: 'one of GET /v1/avatars' };

export function TryPage() {
  const [access] = useState(() => new PageAccess(takeCode(), browserKeep()));
  const [service] = useState(() => new Service(access));
  const [avatars, loadAvatars] = useAvatars(service);
  const voice = useVoice();
  const session = useSession(service, voice.speak);
  const ownSpeech = useOwnSpeech(session);
  const { phase } = session.state;

  const pick = (avatar: Avatar, transport: Transport = session.state.transport) => {
    session.pick(avatar, transport);
    window.scrollTo(0, 0);
  };
  const enter = (password: string) => {
    access.usePassword(password);
    loadAvatars();
  };
  useEffect(
    () =>
      onCode((code) => {
        access.useCode(code);
        loadAvatars();
      }),
    [access, loadAvatars],
  );

  const leave = () => {
    session.leave();
    // The pressed button is gone, so move the focus to the avatars.
    document.getElementById('main')?.focus();
  };

  const firstAvatar = avatars.type === 'here' ? avatars.avatars[0] : undefined;
  const avatar = phase.type === 'picking' ? firstAvatar : phase.avatar;

  return (
    <>
      <section className="shell pick" hidden={phase.type !== 'picking'}>
        <div className="pick-words">
          <h1>Give your voice agent a face.</h1>
          <p className="lede">
            Pick an avatar, type or say a sentence, and watch it speak. Face, voice and media server
            all run on this machine.
          </p>
        </div>
        <div className="pick-faces">
          <AvatarPicker
            avatars={avatars}
            onPick={(avatar) => pick(avatar)}
            onRetry={loadAvatars}
            onPassword={enter}
          />
          {avatars.type === 'here' && <OwnPhoto service={service} onReady={loadAvatars} />}
        </div>
      </section>

      <section
        className="shell perform"
        hidden={phase.type === 'picking'}
        aria-label={avatar ? `Session with ${avatar.name}` : undefined}
      >
        <Stage session={session} speech={ownSpeech.speech} />
        {phase.type !== 'picking' && (
          <Panel
            key={phase.avatar.id}
            avatar={phase.avatar}
            session={session}
            own={ownSpeech}
            voice={voice}
            onPick={pick}
            onLeave={leave}
          />
        )}
      </section>

      <section className="shell point" aria-labelledby="point-title">
        <div className="point-words">
          <h2 id="point-title">Point your plugin at Troupe</h2>
          <p className="soft">
            Your agent keeps its speech, language model and room. Only the avatar address changes.
          </p>
          <p className="soft">
            Create a key: <code>npm run key -- --name my-agent</code>
          </p>
          <p>
            <a href="/docs">How it works</a>
          </p>
        </div>
        <PluginGuide avatar={avatar ?? anyAvatar} />
      </section>
    </>
  );
}
