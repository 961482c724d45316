import type { SessionRecord, SessionStateFields } from '../records/sessions/sessions.ts';
import type { SessionState } from './lifecycle.ts';

export function stateOf(record: SessionRecord): SessionState {
  const { status, startedAt, endedAt, endReason, endDetail } = record;
  switch (status) {
    case 'to_start':
      return { type: 'to_start' };
    case 'ongoing':
      return { type: 'ongoing', startedAt: startedAt ?? 0 };
    case 'completed':
      return {
        type: 'completed',
        startedAt: startedAt ?? 0,
        endedAt: endedAt ?? 0,
        reason: endReason ?? 'removed',
        ...(endDetail !== null && { detail: endDetail }),
      };
  }
}

/** Workers write it. */
const MAX_DETAIL = 300;

export const fieldsOf = (state: SessionState): SessionStateFields => ({
  status: state.type,
  startedAt: state.type === 'to_start' ? null : state.startedAt,
  endedAt: state.type === 'completed' ? state.endedAt : null,
  endReason: state.type === 'completed' ? state.reason : null,
  endDetail: state.type === 'completed' ? (state.detail?.slice(0, MAX_DETAIL) ?? null) : null,
});
