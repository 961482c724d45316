import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import { faultsIn, isOfField, type FieldFault } from './faults.ts';
import { Problem } from '../states.tsx';
import { Worded } from '../worded.tsx';

const t = texts.states.faults;

type Faults = {
  error: Error | null;
  faults: FieldFault[];
  /** Names of the fields in the page, which show their faults themselves. */
  fields: Set<string>;
};

const FaultsContext = createContext<Faults | null>(null);

type FieldFaultsProps = { error: Error | null; children: ReactNode };

/** Fields inside show what was refused in them; `OtherFaults` shows the rest. */
export function FieldFaults({ error, children }: FieldFaultsProps) {
  const [fields] = useState(() => new Set<string>());
  return (
    <FaultsContext value={{ error, faults: faultsIn(error), fields }}>{children}</FaultsContext>
  );
}

/** The service's refusal of the field of this name. */
export function useFieldFault(name: string | undefined): string | undefined {
  const context = useContext(FaultsContext);
  const fields = context?.fields;
  useEffect(() => {
    if (name === undefined) return;
    fields?.add(name);
    return () => void fields?.delete(name);
  }, [fields, name]);
  if (name === undefined) return undefined;
  return context?.faults.find((fault) => isOfField(fault, name))?.text;
}

/** Says that something was refused, and what no field shows. */
export function OtherFaults() {
  const { error, faults, fields } = useContext(FaultsContext)!;
  if (!error) return null;
  if (faults.length === 0) return <Problem error={error} />;
  const others = faults.filter((fault) => ![...fields].some((name) => isOfField(fault, name)));
  return (
    <div className="problem-card" role="alert">
      <p>
        <strong>{others.length > 0 ? t.others : t.marked}</strong>
      </p>
      {others.map(({ field, text }, index) => (
        <p key={index}>
          {field && `${field.replaceAll('_', ' ').replaceAll('.', ', ')}: `}
          <Worded text={text} />
        </p>
      ))}
    </div>
  );
}
