import { AbilityList } from '../../abilities/ability-list.tsx';
import { Card } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { useRead } from '../service/queries.ts';
import type { Abilities } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents;

/** `path`: of the agent. */
export function AbilityCard({ path }: { path: string }) {
  const query = useRead<Abilities>(`${path}/abilities`);
  return (
    <Card title={t.abilities} note={t.abilitiesNote}>
      <Reading query={query} lines={4}>
        {(abilities) => <AbilityList abilities={abilities} />}
      </Reading>
    </Card>
  );
}
