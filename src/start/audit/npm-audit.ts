/* Reads what `npm audit --json` prints about one lockfile. */

type Severity = 'info' | 'low' | 'moderate' | 'high' | 'critical';

/** A package of the lockfile with a known weakness. */
type WeakPackage = {
  name: string;
  severity: Severity;
  /** Titles of the advisories that name the package itself. */
  titles: string[];
  isFixed: boolean;
};

/** `unavailable`: the registry does not answer audits, as some mirrors do. */
export type AuditReport =
  | { type: 'unavailable'; reason: string }
  | { type: 'audited'; weakPackages: WeakPackage[] };

type NpmReport = {
  message?: string;
  vulnerabilities?: Record<
    string,
    { severity: Severity; via: (string | { title: string })[]; fixAvailable: unknown }
  >;
};

export function readAudit(output: string): AuditReport {
  const report = parse(output);
  if (!report?.vulnerabilities)
    return { type: 'unavailable', reason: report?.message ?? 'npm printed no report' };
  const weakPackages = Object.entries(report.vulnerabilities).map(
    ([name, { severity, via, fixAvailable }]) => ({
      name,
      severity,
      titles: via.flatMap((advisory) => (typeof advisory === 'string' ? [] : [advisory.title])),
      isFixed: fixAvailable !== false,
    }),
  );
  return { type: 'audited', weakPackages };
}

function parse(output: string): NpmReport | null {
  try {
    return JSON.parse(output) as NpmReport;
  } catch {
    return null;
  }
}

/** Those that must be updated before a release. */
export const isSevere = ({ severity }: WeakPackage): boolean =>
  severity === 'high' || severity === 'critical';

export const lineOf = ({ name, severity, titles, isFixed }: WeakPackage): string =>
  `${name} (${severity}): ${titles.join('; ') || 'uses a package of this list'}. ${isFixed ? 'A newer version fixes it.' : 'No version fixes it yet.'}`;
