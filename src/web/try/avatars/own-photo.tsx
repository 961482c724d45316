import './own-photo.css';
import { useEffect, useState, type FormEvent } from 'react';
import type { Service } from '../service.ts';
import { useOwnPhoto, type OwnPhotoActions } from './use-own-photo.ts';

type Props = { service: Service; onReady: () => void };

/** Builds an avatar from a photo. */
export function OwnPhoto({ service, onReady }: Props) {
  const [state, actions] = useOwnPhoto(service, onReady);
  switch (state.type) {
    case 'none':
      return (
        <div className="photo">
          <PhotoButton actions={actions}>Use a photo</PhotoButton>
          <p className="soft">One face, from the front. Ready in under 30 seconds.</p>
        </div>
      );
    case 'chosen':
      return <PhotoForm photo={state.photo} actions={actions} />;
    case 'building':
      return (
        <div className="photo" role="status">
          <Preview photo={state.photo} />
          <p>Building your avatar</p>
          <progress max={100} value={state.percent} aria-label="Progress" />
        </div>
      );
    case 'failed':
      return (
        <div className="photo" role="alert">
          <p className="photo-advice">{state.advice}</p>
          <PhotoButton actions={actions}>Choose another photo</PhotoButton>
        </div>
      );
  }
}

function PhotoButton({ actions, children }: { actions: OwnPhotoActions; children: string }) {
  return (
    <label className="button photo-choose">
      {children}
      <input
        type="file"
        className="unseen"
        accept="image/*,.heic,.heif"
        onChange={({ currentTarget }) => {
          const photo = currentTarget.files?.[0];
          if (photo) actions.choose(photo);
        }}
      />
    </label>
  );
}

function PhotoForm({ photo, actions }: { photo: File; actions: OwnPhotoActions }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get('name');
    if (typeof name === 'string') actions.make(name.trim());
  };
  return (
    <form className="photo photo-form" onSubmit={submit}>
      <Preview photo={photo} />
      <label className="photo-name">
        Name
        <input type="text" name="name" maxLength={100} pattern=".*\S.*" required autoFocus />
      </label>
      <label className="photo-consent">
        <input type="checkbox" required />
        The person in this photo agrees
      </label>
      <div className="photo-actions">
        <button type="submit" className="button button-lit">
          Create avatar
        </button>
        <button type="button" className="button" onClick={() => actions.leave()}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Uses a data: URL; the page's content security policy blocks blob: URLs. */
function Preview({ photo }: { photo: File }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') setAddress(reader.result);
    });
    reader.readAsDataURL(photo);
    return () => reader.abort();
  }, [photo]);
  return address === null ? null : <img className="photo-preview" src={address} alt="" />;
}
