import type { Agent } from '../../../clients/typescript/src/generated/models.ts';
import { CheckField, CheckGroup } from '../parts/fields.tsx';
import { texts } from '../texts/texts.ts';
import type { AgentDraft } from './draft.ts';

const t = texts.agents;

type SightProps = {
  draft: AgentDraft;
  change: (changed: Partial<AgentDraft>) => void;
  /** As saved. */
  agent: Agent;
};

/** Whether the agent looks at the camera of its user. */
export function Sight({ draft: { capabilities }, change, agent }: SightProps) {
  const otherCapabilities = capabilities.filter(({ type }) => type !== 'webcam_vision');
  const looks = otherCapabilities.length < capabilities.length;
  const isSaved = agent.capabilities.some(({ type }) => type === 'webcam_vision');
  const { sees, thinks_with } = agent.abilities;
  return (
    <CheckGroup name="capabilities" label={t.sight}>
      <CheckField
        label={t.looks}
        isChecked={looks}
        change={(isChecked) =>
          change({
            capabilities: isChecked
              ? [...otherCapabilities, { type: 'webcam_vision' }]
              : otherCapabilities,
          })
        }
      />
      <p className="field-hint soft">{t.looksHint}</p>
      {looks && isSaved && sees === null && (
        <p className="warning" role="status">
          {t.blind(thinks_with)}
        </p>
      )}
    </CheckGroup>
  );
}
