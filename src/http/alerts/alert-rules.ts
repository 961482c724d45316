/* The alert rules. `prometheus-rules.ts` makes the files of deploy/prometheus from them. */
import type { AlertRule } from './alert-rule.ts';
import { FLEET } from './rules/fleet.ts';
import { OBJECTIVES } from './rules/objectives.ts';
import { PROBE } from './rules/probe.ts';
import { QUALITY } from './rules/quality.ts';
import { SERVICE } from './rules/service.ts';

export const RULE_GROUPS = [SERVICE, FLEET, QUALITY, PROBE];

const rules = RULE_GROUPS.flatMap((group) => group.rules);

/** Those that a control plane judges by itself. */
export const ALERT_RULES: readonly AlertRule[] = [
  ...OBJECTIVES,
  ...rules.filter((rule) => 'holds' in rule),
];

/** The others, and why. */
export const UNJUDGED: Readonly<Record<string, string>> = Object.fromEntries(
  rules.flatMap((rule) => ('unjudged' in rule ? [[rule.name, rule.unjudged]] : [])),
);
