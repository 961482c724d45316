import { useEffect, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, SelectField, TextField } from '../parts/fields.tsx';
import { FileDrop } from '../parts/file-drop.tsx';
import { Form } from '../parts/form.tsx';
import { useSay } from '../parts/notices.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.avatars;

/** A photo, its preview, and the consent of the person in it. */
export function NewAvatar({ close }: { close: () => void }) {
  const say = useSay();
  const [photo, setPhoto] = useState<File | null>(null);
  const [name, setName] = useState('');
  const [background, setBackground] = useState('blur');
  const [agrees, setAgrees] = useState(false);
  const build = useWrite(async () => {
    if (!photo) return;
    const form = new FormData();
    form.append('name', name);
    form.append('consent', t.consentStatement);
    form.append('background', background);
    form.append('picture', photo);
    await call('POST', '/v1/avatars', form);
    say(t.started);
    close();
  }, ['/v1/avatars']);

  return (
    <Dialog title={t.make} close={close}>
      <Form
        submit={() => build.mutate()}
        error={build.error}
        isBusy={build.isPending || !photo || !agrees}
        action={t.build}
        cancel={close}
      >
        {photo && <Preview photo={photo} />}
        <FileDrop
          label={t.photo}
          words={[t.choose, t.drop]}
          hint={t.photoHint}
          accept="image/*,.heic,.heif"
          give={([first]) => first && setPhoto(first)}
        />
        <TextField
          name="name"
          label={t.name}
          value={name}
          change={setName}
          maxLength={100}
          required
        />
        <SelectField
          name="background"
          label={t.background}
          value={background}
          choices={Object.entries(t.backgrounds).map(([value, label]) => ({ value, label }))}
          change={setBackground}
        />
        <CheckField label={t.consent} isChecked={agrees} change={setAgrees} />
      </Form>
    </Dialog>
  );
}

const addressOf = ({ result }: FileReader): string | null =>
  typeof result === 'string' ? result : null;

function Preview({ photo }: { photo: File }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    // A data URL: the content security policy allows no blob URLs for images.
    const reader = new FileReader();
    reader.addEventListener('load', () => setAddress(addressOf(reader)));
    reader.readAsDataURL(photo);
    return () => reader.abort();
  }, [photo]);
  return address && <img className="photo-preview" src={address} alt={t.preview} />;
}
