import { formatDuration } from '../parts/format.ts';
import { Elapsed } from '../parts/time.tsx';
import type { Call } from '../../../clients/typescript/src/generated/models.ts';

/** How long the call took, or takes until now. */
export function CallLength({ call: { started_at, ended_at } }: { call: Call }) {
  if (ended_at === null) return <Elapsed from={started_at} />;
  return <>{formatDuration(Date.parse(ended_at) - Date.parse(started_at))}</>;
}
