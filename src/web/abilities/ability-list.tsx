import './ability-list.css';
import type { Abilities } from '../../clients/typescript/src/generated/models.ts';
import { abilityTexts } from './abilities.ts';

export function AbilityList({ abilities }: { abilities: Abilities }) {
  return (
    <dl className="abilities">
      {abilityTexts(abilities).map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
