import { useState } from 'react';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { useSay } from './notices.tsx';

type DeleteButtonProps = {
  /** Path of the resource. */
  path: string;
  changes: readonly string[];
  /** Title of the dialog, such as "Delete Nora?". */
  title: string;
  text: string;
  /** Said afterwards. */
  done: string;
  label?: string;
  then?: () => void;
};

/** Asks first. A refusal, such as "still in use", is shown in the dialog. */
export function DeleteButton(props: DeleteButtonProps) {
  const { path, changes, title, text, done, label = texts.states.delete, then } = props;
  const say = useSay();
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite(async () => {
    await call('DELETE', path);
    setAsking(false);
    say(done);
    then?.();
  }, changes);
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={title.replace(/\?$/, '')}
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
      {isAsking && (
        <Confirm
          title={title}
          action={label}
          isBusy={remove.isPending}
          error={remove.error}
          act={() => remove.mutate()}
          close={() => {
            remove.reset();
            setAsking(false);
          }}
        >
          <p>{text}</p>
        </Confirm>
      )}
    </>
  );
}
