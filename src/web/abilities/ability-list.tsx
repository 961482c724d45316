import './ability-list.css';
import type { Abilities } from '#protocol/abilities.ts';
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
