import { useState } from 'react';
import { AreaField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Card } from '../parts/page.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { playground as t } from '../texts/playground.ts';
import { loadFor } from './pasted-room.ts';
import { joinProblem } from './room-token.ts';

/** Where to join. `own`: the room's name if it is of this service, and its agent. */
export type Place = {
  url: string;
  token: string;
  own: { name: string; agentName: string } | null;
};

type Props = { enter: (place: Place) => void };

export function RoomChoice({ enter }: Props) {
  const [isOurs, setOurs] = useState(true);
  return (
    <Card>
      <div className="stack">
        <fieldset className="segments">
          <legend className="unseen">{t.where}</legend>
          {[true, false].map((value) => (
            <label key={String(value)}>
              <input
                type="radio"
                name="where"
                checked={isOurs === value}
                onChange={() => setOurs(value)}
              />
              <span>{value ? t.ours : t.other}</span>
            </label>
          ))}
        </fieldset>
        {isOurs ? <OwnRoom enter={enter} /> : <OtherRoom />}
      </div>
    </Card>
  );
}

function OwnRoom({ enter }: Props) {
  const [agentName, setAgentName] = useState('');
  const open = useWrite(
    () =>
      call<{ url: string; name: string; token: string }>('POST', '/v1/playground/rooms', {
        agent_name: agentName,
      }),
    [],
  );
  const submit = () =>
    open.mutate(undefined, {
      onSuccess: ({ url, name, token }) => enter({ url, token, own: { name, agentName } }),
    });
  return (
    <Form submit={submit} error={open.error} isBusy={open.isPending} action={t.join}>
      <p className="soft">
        {t.oursText} <a href="/docs/livekit-agent">{t.how}</a>
      </p>
      <TextField
        label={t.agentName}
        hint={t.agentNameHint}
        name="agent_name"
        maxLength={100}
        value={agentName}
        change={setAgentName}
      />
    </Form>
  );
}

function OtherRoom() {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const submit = () => {
    const room = { url: url.trim(), token: token.trim() };
    const problem = joinProblem(room.url, room.token, Date.now());
    setError(problem && new Error(t.tokenFaults[problem]));
    if (!problem) loadFor(room);
  };
  return (
    <Form submit={submit} error={error} isBusy={false} action={t.join}>
      <p className="soft">{t.otherText}</p>
      <TextField
        label={t.url}
        placeholder="wss://media.example.com"
        required
        value={url}
        change={setUrl}
      />
      <AreaField
        label={t.token}
        rows={3}
        spellCheck={false}
        autoComplete="off"
        required
        value={token}
        change={setToken}
      />
    </Form>
  );
}
