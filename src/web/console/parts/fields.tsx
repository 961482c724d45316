import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
} from 'react';
import { useFieldFault } from './faults/field-faults.tsx';
import { Worded } from './worded.tsx';

/** `name`: as in the request, so that the field can show what the service says of it. */
type Labelled = { label: string; hint?: ReactNode; name?: string | undefined };

/** For the control. */
type Described = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

type FieldProps = Labelled & { children: (of: Described) => ReactNode };

function Field({ label, hint, name, children }: FieldProps) {
  const id = useId();
  const fault = useFieldFault(name);
  const described = [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(fault && { 'aria-invalid': true }),
      })}
      {fault && (
        <p id={`${id}-fault`} className="field-fault">
          <Worded text={fault} />
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="field-hint soft">
          {hint}
        </p>
      )}
    </div>
  );
}

type Control<Attributes> = Labelled & {
  value: string;
  change: (value: string) => void;
} & Omit<Attributes, 'value' | 'onChange' | 'id' | 'name'>;

export function TextField(props: Control<InputHTMLAttributes<HTMLInputElement>>) {
  const { label, hint, name, value, change, ...attributes } = props;
  return (
    <Field label={label} hint={hint} name={name}>
      {(described) => (
        <input
          type="text"
          autoComplete="off"
          {...attributes}
          {...described}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  );
}

export function AreaField(props: Control<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { label, hint, name, value, change, ...attributes } = props;
  return (
    <Field label={label} hint={hint} name={name}>
      {(described) => (
        <textarea
          rows={4}
          {...attributes}
          {...described}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  );
}

type Choice = { value: string; label: string };

type SelectFieldProps = Labelled & {
  value: string;
  choices: readonly Choice[];
  change: (value: string) => void;
  ref?: Ref<HTMLSelectElement>;
};

export function SelectField(props: SelectFieldProps) {
  const { label, hint, name, value, choices, change, ref } = props;
  return (
    <Field label={label} hint={hint} name={name}>
      {(described) => (
        <select
          ref={ref}
          {...described}
          value={value}
          onChange={(event) => change(event.target.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckFieldProps = {
  label: ReactNode;
  isChecked: boolean;
  change: (isChecked: boolean) => void;
};

export function CheckField({ label, isChecked, change }: CheckFieldProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => change(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** Several boxes under one question. */
export function CheckGroup({ label, name, children }: Labelled & { children: ReactNode }) {
  const fault = useFieldFault(name);
  return (
    <fieldset className="check-group">
      <legend>{label}</legend>
      <div className="checks">{children}</div>
      {fault && (
        <p className="field-fault">
          <Worded text={fault} />
        </p>
      )}
    </fieldset>
  );
}
