import { useState } from 'react';
import { useLocation } from 'wouter';
import { FaceChoice } from '../avatars/face-choice.tsx';
import { useReadyAvatars } from '../avatars/use-ready-avatars.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Agent } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents;

export function NewAgent({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const avatars = useReadyAvatars();
  const [chosenId, choose] = useState<string | null>(null);
  const avatarId = chosenId ?? avatars[0]?.id ?? '';
  const make = useWrite(async () => {
    const { id } = await call<Agent>('POST', '/v1/agents', { name, avatar_id: avatarId });
    go(`/agents/${id}`);
  }, ['/v1/agents']);
  return (
    <Dialog title={t.make} close={close}>
      <Form
        submit={() => make.mutate()}
        error={make.error}
        isBusy={make.isPending}
        action={texts.states.create}
        cancel={close}
      >
        <TextField
          name="name"
          label={t.name}
          value={name}
          change={setName}
          maxLength={100}
          required
        />
        <FaceChoice label={t.avatar} avatars={avatars} value={avatarId} change={choose} />
      </Form>
    </Dialog>
  );
}
