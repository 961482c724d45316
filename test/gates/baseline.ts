/* The committed figures that gates compare with. `npx tsx test/gates/remake.ts` writes them. */
import { readFileSync, writeFileSync } from 'node:fs';

export type Figures = Record<string, number>;

const fileOf = (gate: string) => new URL(`./baselines/${gate}.json`, import.meta.url);

export function readBaseline(gate: string): Figures {
  return JSON.parse(readFileSync(fileOf(gate), 'utf8')) as Figures;
}

export function writeBaseline(gate: string, figures: Figures): void {
  writeFileSync(fileOf(gate), `${JSON.stringify(figures, null, 2)}\n`);
}

/** Digest of the inputs and result of the last run of `remake.ts`, which wrote the baseline. */
export type Measured = { inputs: string; lagMs: number };

export const readMeasured = (gate: string): Measured =>
  JSON.parse(readFileSync(fileOf(`${gate}-measured`), 'utf8')) as Measured;

export const writeMeasured = (gate: string, measured: Measured): void =>
  writeFileSync(fileOf(`${gate}-measured`), `${JSON.stringify(measured, null, 2)}\n`);

type Band = { below?: (figure: number) => number; above?: (figure: number) => number };

/**
 * Returns one line per figure outside its band around the baseline, and per figure that only one
 * side has. Figures without a bound on a side are not limited there.
 */
export function deviations(measured: Figures, baseline: Figures, { below, above }: Band): string[] {
  const names = [...new Set([...Object.keys(baseline), ...Object.keys(measured)])];
  return names.flatMap((name) => {
    const [is, was] = [measured[name], baseline[name]];
    if (is === undefined) return [`${name}: not measured, baseline ${was}`];
    if (was === undefined) return [`${name}: ${is}, not in the baseline`];
    const least = below ? was - below(was) : -Infinity;
    const most = above ? was + above(was) : Infinity;
    return is >= least && is <= most ? [] : [`${name}: ${is}, baseline ${was}`];
  });
}
