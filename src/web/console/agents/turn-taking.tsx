import { TURN_LEVELS } from '#protocol/voice/turn-taking.ts';
import { SelectField } from '../parts/fields.tsx';
import { texts } from '../texts/texts.ts';
import type { AgentDraft } from './draft.ts';

const t = texts.agents;

type TurnTakingProps = {
  draft: AgentDraft;
  change: (changed: Partial<AgentDraft>) => void;
};

/** How the agent takes turns with its user. */
export function TurnTaking({ draft: { turnTaking }, change }: TurnTakingProps) {
  return (['patience', 'interruptibility'] as const).map((name) => (
    <SelectField
      key={name}
      name={`turn_taking.${name}`}
      label={t[name]}
      value={turnTaking[name]}
      choices={TURN_LEVELS.map((level) => ({ value: level, label: t.turnLevels[name][level] }))}
      change={(level) => change({ turnTaking: { ...turnTaking, [name]: level } })}
    />
  ));
}
