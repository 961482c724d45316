import type { Session } from '../../clients/typescript/src/generated/models.ts';
import { duration } from '../times.ts';

/** `ongoing for 12 min`. */
export function statusText({ status }: Session, now: number): string {
  switch (status.type) {
    case 'to_start':
      return 'to start';
    case 'ongoing':
      return `ongoing for ${duration(now - Date.parse(status.started_at))}`;
    case 'completed': {
      const ms = Date.parse(status.ended_at) - Date.parse(status.started_at);
      return `completed after ${duration(ms)}`;
    }
  }
}
