import type { Condition } from './conditions.ts';

/** A rule that a control plane judges by itself. */
export type AlertRule = {
  name: string;
  /** The highest, of a rule with several windows. */
  severity: 'critical' | 'warning';
  /** How long the condition must hold. */
  forMinutes: number;
  /** The number in the expression, or 1 minus its quantile. Absent if it compares two series. */
  limit?: number;
  holds: Condition;
  /** The first thing to do; the runbook says more. */
  advice: string;
};

type Judged = Pick<AlertRule, 'holds' | 'advice'>;
/** Why only Prometheus can judge it. */
type Unjudged = { unjudged: string };

/** A rule for control planes and Prometheus. */
type SharedRule = Omit<AlertRule, keyof Judged> &
  (Judged | Unjudged) & {
    /** Why the expression is as it is. */
    comment?: string;
    /** PromQL. */
    expr: (limit: number) => string;
    /** A template of Prometheus. */
    summary: string;
  };

/** `name`: of the group in Prometheus. */
export type RuleGroup = { name: string; comment?: string; rules: readonly SharedRule[] };

export const critical = { severity: 'critical' } as const;
export const warning = { severity: 'warning' } as const;
