import './key-choice.css';
import { ShownOnce } from '../parts/code.tsx';
import { TextField } from '../parts/fields.tsx';
import { Problem } from '../parts/states.tsx';
import { useMay, useMe } from '../service/me.ts';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.start;

type KeyChoiceProps = { typed: string; change: (key: string) => void };

/** Makes a key or takes the user's own. It stays in the memory of the page. */
export function KeyChoice({ typed, change }: KeyChoiceProps) {
  const canMake = useMay('api_keys:write');
  // A key does no more than the person who makes it.
  const { scopes } = useMe();
  const make = useWrite(async () => {
    const createdKey = await call<{ key: string }>('POST', '/v1/api-keys', {
      name: t.keyName,
      scopes,
    });
    change(createdKey.key);
    return createdKey;
  }, ['/v1/api-keys']);
  if (make.data) {
    return <ShownOnce label={t.key} secret={make.data.key} note={texts.keys.madeNote} />;
  }
  return (
    <div className="key-choice">
      {canMake && (
        <button
          type="button"
          className="button button-lit"
          disabled={make.isPending}
          onClick={() => make.mutate()}
        >
          {t.makeKey}
        </button>
      )}
      <TextField label={t.haveKey} value={typed} change={change} spellCheck={false} />
      {make.error && <Problem error={make.error} />}
    </div>
  );
}
