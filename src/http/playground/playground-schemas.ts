import Type from 'typebox';
import { JOB_STATUSES } from '#protocol/agent-jobs.ts';
import { JOB_REFUSALS } from '#shared/agent-jobs.ts';
import { closed } from '../resource/closed-schema.ts';
import { Text } from '../resource/schema-parts.ts';

/** `agent_name`: empty for automatic dispatch. */
export const AgentChoice = closed(Type.Object({ agent_name: Text(0, 100) }));

export const PlaygroundRoom = Type.Object({
  url: Type.String(),
  name: Type.String(),
  token: Type.String(),
});

export const RoomParams = Type.Object({ name: Type.String() });

const MaybeText = Type.Union([Type.String(), Type.Null()]);

const DispatchBody = Type.Object({
  agent_name: Type.String(),
  /** Since it was made. */
  age_ms: Type.Integer({ minimum: 0 }),
  jobs: Type.Array(Type.Object({ status: Type.Enum([...JOB_STATUSES]), error: Type.String() })),
  /** Null: the media server does not tell, or a job was taken. */
  refusal: Type.Union([Type.Enum([...JOB_REFUSALS]), Type.Null()]),
});

/** Facts about a room from this service and its media server. Lists begin with the newest. */
export const RoomFindings = Type.Object({
  /** Null: the room is closed. */
  dispatches: Type.Union([Type.Array(DispatchBody), Type.Null()]),
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      status: Type.Enum(['to_start', 'ongoing', 'completed']),
      end_reason: MaybeText,
      end_detail: MaybeText,
    }),
  ),
  /** Sessions that the account asked for while the room was open, and did not get. */
  refusals: Type.Array(Type.Object({ status: Type.Integer(), detail: MaybeText })),
});
