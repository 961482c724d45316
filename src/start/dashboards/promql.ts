/*
 * PromQL that several panels share. A session is counted by one control plane; the fleet is
 * reported by each.
 */

/** `$__rate_interval` is Grafana's: four scrapes at least. */
export const rate = (series: string, by = ''): string =>
  `sum${by && ` by (${by})`} (rate(${series}[$__rate_interval]))`;

export const ratio = (part: string, total: string): string => `${rate(part)} / ${rate(total)}`;

/** Quantiles of a histogram, by legend. */
export const quantiles = (name: string, labels: string): Record<string, string> =>
  Object.fromEntries([0.5, 0.95, 0.99].map((q) => [`p${q * 100}`, quantile(q, name, labels)]));

export const quantile = (q: number, name: string, labels: string, by = 'le'): string =>
  `histogram_quantile(${q}, ${rate(`${name}_bucket{${labels}}`, by)})`;

/** A gauge of the whole fleet, which every control plane reports. */
export const fleet = (series: string, by: string): string =>
  `max by (${by}) (sum by (instance, ${by}) (${series}))`;
