import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BOTROOM_PROTOCOL } from '#protocol/botroom/records.ts';
import { PICTURE_PROBLEMS } from '#protocol/pictures/picture-problems.ts';
import * as roomTerms from '#protocol/room-terms.ts';
import { planLimits } from '../facts/accounts.ts';
import { agentSignals } from '../facts/agent-signals.ts';
import {
  botroomClosings,
  botroomLimits,
  botroomRecords,
  botroomTooSlow,
} from '../facts/botrooms.ts';
import { budgetKinds, budgetUnits, defaultLimits } from '../facts/budgets.ts';
import { commands } from '../facts/commands.ts';
import { events, retryTimes } from '../facts/events.ts';
import { faultAdvice, faults } from '../facts/faults.ts';
import { auditDifferences, refusalReasons, workerClosings, workerStates } from '../facts/fleet.ts';
import { metrics } from '../facts/metrics.ts';
import { endReasonTable, timelineKinds } from '../facts/sessions.ts';
import { settings } from '../facts/settings.ts';
import { meanings } from '../facts/tables.ts';
import { pipecatTabs, pluginGuide, shortestGuide, vendorIndex } from '../facts/vendors.ts';

const inRoot = (file: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../../${file}`, import.meta.url)), 'utf8');

/** Text of every program that explains itself. */
async function commandSources(): Promise<Promise<string>[]> {
  const files: string[] = [];
  const patterns = ['src/start/commands/*.ts', 'workers/probe/main.ts', 'test/conformance/main.ts'];
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  for await (const file of glob(patterns, { cwd: root })) files.push(file);
  return files.map(inRoot);
}

type Fact = (argument: string) => string | Promise<string>;

/** The text that replaces `{{name}}` or `{{name argument}}` in a page. */
const facts: Record<string, Fact> = {
  'agent-signals': agentSignals,
  'audit-differences': auditDifferences,
  'botroom-closings': botroomClosings,
  'botroom-limits': botroomLimits,
  'botroom-records': botroomRecords,
  'botroom-subprotocol': () => BOTROOM_PROTOCOL,
  'botroom-too-slow': botroomTooSlow,
  'budget-kinds': budgetKinds,
  'budget-units': budgetUnits,
  'default-limits': defaultLimits,
  commands: async () => commands(await Promise.all(await commandSources())),
  'end-reasons': endReasonTable,
  events,
  'fault-advice': faultAdvice,
  faults,
  metrics,
  'picture-problems': () => meanings(['Reason', 'What to do'], PICTURE_PROBLEMS),
  'pipecat-tabs': pipecatTabs,
  plans: planLimits,
  'plugin-guide': pluginGuide,
  'refusal-reasons': refusalReasons,
  'retry-times': retryTimes,
  timeline: timelineKinds,
  'vendor-index': vendorIndex,
  'vendor-shortest': shortestGuide,
  'worker-closings': workerClosings,
  'worker-states': workerStates,
  settings: async () => settings(await inRoot('.env.example')),
  /** A document of the repository, without its title. */
  document: async (file) => (await inRoot(file)).replace(/^# .*\n+/, ''),
  sample: async (file) =>
    `\`\`\`${file.endsWith('.py') ? 'python' : 'ts'} title="${file}"\n${await inRoot(`src/web/docs/samples/${file}`)}\`\`\``,
  /** A topic, RPC or attribute of the room. */
  term: (name) => {
    const text: unknown = { ...roomTerms }[name];
    if (typeof text !== 'string') throw new Error(`no room term ${name}`);
    return text;
  },
};

/** The page with its facts. An unknown one is an error. */
export async function withFacts(markdown: string): Promise<string> {
  const parts = markdown.split(/\{\{([\w-]+)(?: ([^}]+))?\}\}/);
  let text = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 3) {
    const name = parts[at]!;
    const fact = facts[name];
    if (!fact) throw new Error(`The documentation names an unknown fact: ${name}`);
    text += (await fact(parts[at + 1] ?? '')) + (parts[at + 2] ?? '');
  }
  return text;
}
