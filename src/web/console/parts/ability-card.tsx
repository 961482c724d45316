import { AbilityList } from '../../abilities/ability-list.tsx';
import { useRead } from '../service/queries.ts';
import type { Abilities } from '../../../clients/typescript/src/generated/models.ts';
import { Card } from './page.tsx';
import { Reading } from './states.tsx';

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
