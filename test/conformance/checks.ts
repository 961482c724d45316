import type { Check } from './check.ts';
import { drain } from './checks/drain.ts';
import { heartbeat } from './checks/heartbeat.ts';
import { interruptions } from './checks/interruptions.ts';
import { join } from './checks/join.ts';
import { kill } from './checks/kill.ts';
import { longTalk } from './checks/long-talk.ts';
import { oddMessages } from './checks/odd-messages.ts';
import { reconnect } from './checks/reconnect.ts';
import { reports } from './checks/reports.ts';
import { sessions } from './checks/sessions.ts';
import { speak } from './checks/speak.ts';
import { version } from './checks/version.ts';

/** In order: the first ones share a worker, which `drain` ends. */
export const CHECKS: readonly Check[] = [
  join,
  speak,
  interruptions,
  sessions,
  oddMessages,
  reconnect,
  reports,
  longTalk,
  heartbeat,
  drain,
  kill,
  version,
];
