import { AbilityList } from '../../abilities/ability-list.tsx';
import type { Abilities } from '#protocol/abilities.ts';
import { useRead } from '../service/queries.ts';
import { Card } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';

type AbilityCardProps = { path: string; title: string; note: string };

/** `path`: where the API answers the abilities. */
export function AbilityCard({ path, title, note }: AbilityCardProps) {
  const query = useRead<Abilities>(path);
  return (
    <Card title={title} note={note}>
      <Reading query={query} lines={4}>
        {(abilities) => <AbilityList abilities={abilities} />}
      </Reading>
    </Card>
  );
}
