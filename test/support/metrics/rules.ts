import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Rule = {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};
type RuleFile = { groups: { rules: Rule[] }[] };
type TestFile = {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
};

export const RULE_FILES = ['deploy/prometheus/objectives.yml', 'deploy/prometheus/alerts.yml'];

const read = (file: string): unknown => parse(readFileSync(file, 'utf8'));

/** The rules of deploy/prometheus. */
export function readRules() {
  const rules = RULE_FILES.flatMap((file) =>
    (read(file) as RuleFile).groups.flatMap((group) => group.rules),
  );
  return {
    rules,
    recorded: rules.flatMap(({ record }) => record ?? []),
    alerts: rules.filter((rule) => rule.alert !== undefined),
  };
}

/** Cases for promtool, of all files. */
export const readRuleTests = () =>
  globSync('deploy/prometheus/*.test.yml').flatMap((file) =>
    (read(file) as TestFile).tests.flatMap((testCase) => testCase.alert_rule_test),
  );
