import { duration } from '../times.ts';

/* Fields of the API's sessions that the commands print. */
export type Session = {
  id: string;
  transport: string;
  avatar_id: string;
  url: string;
  status:
    | { type: 'to_start' }
    | { type: 'ongoing'; started_at: string }
    | { type: 'completed'; started_at: string; ended_at: string };
  created_at: string;
  end_reason?: string;
  end_detail?: string;
};

export type OpenedSession = Session & {
  /** Only a botroom has it. */
  token?: string;
  room?: { url: string; name: string; viewer_token: string; agent_token?: string };
};

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
