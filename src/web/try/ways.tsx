import { useId } from 'react';

const wayLabels = { text: 'Text', microphone: 'Microphone', file: 'Audio file' } as const;
export type Way = keyof typeof wayLabels;

/** Chooses the input: typed text, microphone or audio file. */
export function Ways({ way, onWay }: { way: Way; onWay: (way: Way) => void }) {
  const name = useId();
  return (
    <fieldset className="ways">
      <legend className="unseen">Input</legend>
      {(Object.keys(wayLabels) as Way[]).map((each) => (
        <label key={each}>
          <input
            type="radio"
            className="unseen"
            name={name}
            checked={way === each}
            onChange={() => onWay(each)}
          />
          <span>{wayLabels[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
