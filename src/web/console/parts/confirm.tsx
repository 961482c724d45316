import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './states.tsx';

type ConfirmProps = {
  title: string;
  /** The effect, and whether it can be undone. */
  children: ReactNode;
  action: string;
  isHarmless?: boolean;
  isBusy: boolean;
  error: Error | null;
  act: () => void;
  close: () => void;
};

/** Asks before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, isHarmless = false, isBusy, error, act, close } = props;
  return (
    <Dialog title={title} close={close}>
      <div className="stack">
        <div className="soft stack-small">{children}</div>
        {error && <Problem error={error} />}
        <div className="actions actions-end">
          <button type="button" className="button" onClick={close}>
            {texts.states.cancel}
          </button>
          <button
            type="button"
            className={isHarmless ? 'button button-lit' : 'button button-alarm'}
            disabled={isBusy}
            onClick={act}
          >
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
