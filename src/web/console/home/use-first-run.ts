import { useEffect, useState } from 'react';
import { pageStorage } from '../../look/page-storage.ts';
import { may, useMe } from '../service/me.ts';
import { useAll, useNewest } from '../service/queries.ts';
import type { Agent, Session } from '../../../clients/typescript/src/generated/models.ts';
import { isComplete, progressOf, type Progress } from './progress.ts';

const storage = pageStorage(() => localStorage);

type FirstRun =
  | { type: 'reading' }
  | { type: 'over' }
  | { type: 'on'; progress: Progress; hide: () => void };

/** Whether this account is new. Once all is done, it no longer is, in this browser for good. */
export function useFirstRun(everyMs: number): FirstRun {
  const me = useMe();
  const name = `troupe-first-steps-over ${me.account?.id}`;
  const [isHidden, setHidden] = useState(() => storage.getItem(name) !== null);
  const isOn = !isHidden && may(me, 'agents:write') && may(me, 'api_keys:write');
  const sessions = useNewest<Session>(isOn ? '/v1/sessions' : null, everyMs);
  const agents = useAll<Agent>(isOn ? '/v1/agents' : null);
  const progress =
    sessions.data && agents.data ? progressOf(sessions.data.data, agents.data.data) : null;
  const isOver = progress !== null && (isComplete(progress) || sessions.data?.has_more === true);
  const isOpen = progress !== null && !isOver;
  // Steps that were open stay in sight when the last one is done.
  const [wasOpen, setWasOpen] = useState(false);
  useEffect(() => {
    if (isOver) storage.setItem(name, 'yes');
    else if (isOpen) setWasOpen(true);
  }, [isOver, isOpen, name]);

  if (!isOn || (isOver && !wasOpen) || sessions.error || agents.error) return { type: 'over' };
  if (!progress) return { type: 'reading' };
  const hide = () => {
    storage.setItem(name, 'yes');
    setHidden(true);
  };
  return { type: 'on', progress, hide };
}
