import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

type DialogProps = {
  title: string;
  close: () => void;
  /** Opens at the side: the menu on a phone, or a long form. */
  isSheet?: boolean;
  children: ReactNode;
};

/**
 * The browser’s modal dialog: it keeps the focus inside, closes with Escape and returns the focus.
 */
export function Dialog({ title, close, isSheet = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it is removed: a removed dialog returns no focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element?.open) element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isSheet ? 'dialog dialog-sheet' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="icon-button"
          onClick={close}
          aria-label={texts.states.close}
        >
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
