import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { FieldFaults, OtherFaults } from './faults/field-faults.tsx';

type FormProps = {
  submit: () => void;
  error: Error | null;
  isBusy: boolean;
  /** Label of the button. */
  action: string;
  cancel?: () => void;
  children: ReactNode;
};

/** Fields, what was wrong with them, and the button. */
export function Form({ submit, error, isBusy, action, cancel, children }: FormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FieldFaults error={error}>
        {children}
        <OtherFaults />
      </FieldFaults>
      <div className="actions actions-end">
        {cancel && (
          <button type="button" className="button" onClick={cancel}>
            {texts.states.cancel}
          </button>
        )}
        <button type="submit" className="button button-lit" disabled={isBusy}>
          {action}
        </button>
      </div>
    </form>
  );
}
