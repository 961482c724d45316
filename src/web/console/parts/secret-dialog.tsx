import { texts } from '../texts/texts.ts';
import { ShownOnce } from './code.tsx';
import { Dialog } from './dialog.tsx';

type SecretDialogProps = { title: string; secret: string; note: string; close: () => void };

/** Shows a new secret. It cannot be read again later. */
export function SecretDialog({ title, secret, note, close }: SecretDialogProps) {
  return (
    <Dialog title={title} close={close}>
      <div className="stack">
        <ShownOnce label={title} secret={secret} note={note} />
        <div className="actions actions-end">
          <button type="button" className="button button-lit" onClick={close}>
            {texts.states.done}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
