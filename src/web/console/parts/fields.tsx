import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
} from 'react';

type Labelled = { label: string; hint?: ReactNode };

type Described = { id: string; describedBy: string | undefined };

function Field({ label, hint, children }: Labelled & { children: (of: Described) => ReactNode }) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, describedBy: hint ? hintId : undefined })}
      {hint && (
        <p id={hintId} className="field-hint soft">
          {hint}
        </p>
      )}
    </div>
  );
}

type Control<Attributes> = Labelled & {
  value: string;
  change: (value: string) => void;
} & Omit<Attributes, 'value' | 'onChange' | 'id'>;

export function TextField(props: Control<InputHTMLAttributes<HTMLInputElement>>) {
  const { label, hint, value, change, ...attributes } = props;
  return (
    <Field label={label} hint={hint}>
      {({ id, describedBy }) => (
        <input
          type="text"
          autoComplete="off"
          {...attributes}
          id={id}
          aria-describedby={describedBy}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  );
}

export function AreaField(props: Control<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { label, hint, value, change, ...attributes } = props;
  return (
    <Field label={label} hint={hint}>
      {({ id, describedBy }) => (
        <textarea
          rows={4}
          {...attributes}
          id={id}
          aria-describedby={describedBy}
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

export function SelectField({ label, hint, value, choices, change, ref }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {({ id, describedBy }) => (
        <select
          ref={ref}
          id={id}
          aria-describedby={describedBy}
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
export function CheckGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className="check-group">
      <legend>{label}</legend>
      <div className="checks">{children}</div>
    </fieldset>
  );
}
