import {
  BOTROOM_METRICS,
  CALL_METRICS,
  CANARY_METRICS,
  FLEET_METRICS,
  OVERFLOW_METRICS,
  SESSION_METRICS,
} from '#protocol/metric-names.ts';
import { meanings } from './tables.ts';

const groups = {
  Fleet: FLEET_METRICS,
  Sessions: SESSION_METRICS,
  Calls: CALL_METRICS,
  Botrooms: BOTROOM_METRICS,
  'Canary releases': CANARY_METRICS,
  Overflow: OVERFLOW_METRICS,
};

export const metrics = (): string =>
  Object.entries(groups)
    .map(([name, of]) => `## ${name}\n\n${meanings(['Metric', 'Meaning'], of)}`)
    .join('\n\n');
