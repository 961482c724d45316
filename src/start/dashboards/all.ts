import { API } from './api.ts';
import { CONVERSATION } from './conversation.ts';
import type { Dashboard } from './dashboard.ts';
import { FLEET } from './fleet.ts';
import { OVERVIEW } from './overview.ts';
import { SESSION } from './session.ts';

/** By file name in deploy/grafana, without its ending. */
export const DASHBOARDS: Record<string, Dashboard> = {
  overview: OVERVIEW,
  fleet: FLEET,
  session: SESSION,
  api: API,
  conversation: CONVERSATION,
};
