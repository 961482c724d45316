import './face-choice.css';
import { useId } from 'react';
import { ownPath } from '../../api/answers.ts';
import type { Avatar } from '../../../clients/typescript/src/generated/models.ts';

type FaceChoiceProps = {
  label: string;
  avatars: Avatar[];
  /** Id of the chosen avatar. */
  value: string;
  change: (id: string) => void;
};

/** An avatar, chosen by its face. */
export function FaceChoice({ label, avatars, value, change }: FaceChoiceProps) {
  const group = useId();
  return (
    <fieldset className="check-group" role="radiogroup">
      <legend>{label}</legend>
      <div className="face-choices">
        {avatars.map(({ id, name, picture }) => (
          <label key={id} className="face-choice">
            <input type="radio" name={group} checked={id === value} onChange={() => change(id)} />
            <span className="face-choice-picture">
              {picture && <img src={ownPath(picture) ?? ''} alt="" loading="lazy" />}
            </span>
            <span className="face-choice-name">{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
