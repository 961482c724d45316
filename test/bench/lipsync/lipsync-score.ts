/*
 * The part of the lip-sync set's scorer (test/fixtures/lipsync/score.py) that the bench prints.
 * Gives the same figures for the same frames.
 */
type Segment = [start: number, end: number, viseme: string, also: string[], open: number | null];
export type Label = {
  file: string;
  voice: string;
  condition: string;
  duration: number;
  segs: Segment[];
};
export type Frame = { viseme: string; open: number };
export type LabelledFrames = { label: Label; frames: Frame[] };

export type Scores = {
  macroF1: number;
  strictF1: number;
  closureF1: number;
  lipOnTeethF1: number;
  openR: number;
  openRSpeech: number;
  falseOpen: number;
};

const FPS = 25;
/** A frame is right if its class occurs within this distance of its middle. */
const NEAR = 0.02;
const SHUT = 0.1;
const MOVED = 0.15;
const CLASSES = ['sil', 'PP', 'FF', 'open', 'spread', 'round', 'cons'];
const CONSONANTS = ['TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR'];
const CLASS_OF: Record<string, string> = {
  sil: 'sil',
  PP: 'PP',
  FF: 'FF',
  aa: 'open',
  E: 'spread',
  I: 'spread',
  O: 'round',
  U: 'round',
  ...Object.fromEntries(CONSONANTS.map((viseme) => [viseme, 'cons'])),
};
/** Default mouth opening of a viseme, for systems that report only visemes. */
export const OPENING_OF: Record<string, number> = {
  sil: 0,
  PP: 0,
  FF: 0.08,
  TH: 0.22,
  DD: 0.25,
  kk: 0.3,
  CH: 0.2,
  SS: 0.16,
  nn: 0.25,
  RR: 0.3,
  aa: 1,
  E: 0.6,
  I: 0.35,
  O: 0.6,
  U: 0.3,
};
/** Weight of a segment's target, and its reach in seconds. */
const PULL: Record<string, [weight: number, decay: number]> = {
  sil: [0.6, 0.035],
  PP: [3, 0.016],
  FF: [2.2, 0.022],
  TH: [0.8, 0.03],
  DD: [0.5, 0.03],
  kk: [0.3, 0.03],
  CH: [1, 0.03],
  SS: [1.2, 0.03],
  nn: [0.4, 0.03],
  RR: [0.5, 0.03],
  aa: [1, 0.05],
  E: [1, 0.05],
  I: [1, 0.05],
  O: [1, 0.05],
  U: [1, 0.05],
};

export function score(performances: LabelledFrames[]): Scores {
  const lenient = new Confusion();
  const strict = new Confusion();
  const open: number[] = [];
  const target: number[] = [];
  const isSpeech: boolean[] = [];
  let [closures, met, shutFrames, shutRightly, pauses, openInPauses] = [0, 0, 0, 0, 0, 0];
  for (const { label, frames } of performances) {
    const count = Math.floor(label.duration * FPS);
    const truths = Array.from({ length: count }, (_, i) => truthAt((i + 0.5) / FPS, label.segs));
    const wide = openings(label.segs, count);
    const series = Array.from({ length: count }, (_, i) => frames[Math.min(i, frames.length - 1)]!);
    const isShut = series.map(
      ({ viseme, open }) =>
        open <= SHUT || ((viseme === 'PP' || viseme === 'sil') && open <= 2 * SHUT),
    );
    const nearClosure = Array.from({ length: count }, () => false);
    const nearOther = Array.from({ length: count }, () => false);
    for (const [start, end, viseme, also, opening] of label.segs) {
      const isClosure = viseme === 'PP';
      const isOther = viseme === 'sil' || viseme === 'FF';
      if (!isClosure && !isOther && !also.includes('PP')) continue;
      let isMet = false;
      for (let i = 0; i < count; i++) {
        const at = (i + 0.5) / FPS;
        if (at > start - 0.04 && at < end + 0.04) {
          if (isClosure || also.includes('PP')) nearClosure[i] = true;
          if (isOther) nearOther[i] = true;
        }
        if (at > start - 0.03 && at < end + 0.03 && isShut[i]) isMet = true;
      }
      if (isClosure && opening === 0) {
        closures += 1;
        met += Number(isMet);
      }
    }
    truths.forEach(({ main, accepted, isPause }, i) => {
      const prediction = CLASS_OF[series[i]!.viseme]!;
      lenient.add(accepted.has(prediction) ? prediction : main, prediction);
      strict.add(main, prediction);
      open.push(series[i]!.open);
      target.push(wide[i]!);
      isSpeech.push(!isPause);
      if (isShut[i] && !nearOther[i] && !isPause) {
        shutFrames += 1;
        shutRightly += Number(nearClosure[i]);
      }
      const isDeep = truths.slice(Math.max(0, i - 2), i + 3).every((truth) => truth.isPause);
      if (isDeep) {
        pauses += 1;
        openInPauses += Number(series[i]!.open > MOVED);
      }
    });
  }
  const precision = shutRightly / Math.max(1, shutFrames);
  const recall = met / Math.max(1, closures);
  const inSpeech = (values: number[]) => values.filter((_, i) => isSpeech[i]);
  return {
    macroF1: lenient.macroF1(),
    strictF1: strict.macroF1(),
    closureF1: (2 * precision * recall) / Math.max(1e-9, precision + recall),
    lipOnTeethF1: lenient.f1('FF'),
    openR: correlation(open, target),
    openRSpeech: correlation(inSpeech(open), inSpeech(target)),
    falseOpen: openInPauses / Math.max(1, pauses),
  };
}

class Confusion {
  readonly #hits = new Map<string, number>();
  readonly #predictions = new Map<string, number>();
  readonly #true = new Map<string, number>();

  add(truth: string, prediction: string) {
    raise(this.#true, truth);
    raise(this.#predictions, prediction);
    if (truth === prediction) raise(this.#hits, truth);
  }

  f1(name: string): number {
    const hits = this.#hits.get(name) ?? 0;
    const precision = hits / Math.max(1, this.#predictions.get(name) ?? 0);
    const recall = hits / Math.max(1, this.#true.get(name) ?? 0);
    return (2 * precision * recall) / Math.max(1e-9, precision + recall);
  }

  macroF1(): number {
    return CLASSES.reduce((sum, name) => sum + this.f1(name), 0) / CLASSES.length;
  }
}

function raise(of: Map<string, number>, name: string) {
  of.set(name, (of.get(name) ?? 0) + 1);
}

function truthAt(at: number, segs: Segment[]) {
  const accepted = new Set<string>();
  let main = 'sil';
  let isPause = true;
  for (const [start, end, viseme, also] of segs) {
    if (start >= at + NEAR || end <= at - NEAR) continue;
    for (const name of [viseme, ...also]) accepted.add(CLASS_OF[name]!);
    if (viseme !== 'sil') isPause = false;
    if (start <= at && at < end) main = CLASS_OF[viseme]!;
  }
  if (accepted.size === 0) accepted.add('sil');
  return { main, accepted, isPause };
}

/**
 * The reference opening: a weighted mean of the segments' targets, in which near segments dominate.
 */
function openings(segs: Segment[], count: number): number[] {
  const sums = new Float64Array(count);
  const weights = new Float64Array(count).fill(1e-9);
  for (const [start, end, viseme, , opening] of segs) {
    const [weight, decay] = PULL[viseme]!;
    const strength = viseme === 'PP' && opening ? 0.8 : weight;
    const core = Math.min(0.25 * (end - start), 0.03);
    const from = Math.max(0, Math.trunc((start - 0.4) * FPS - 0.5));
    const to = Math.max(from, Math.min(count, Math.trunc((end + 0.4) * FPS - 0.5) + 2));
    for (let i = from; i < to; i++) {
      const at = (i + 0.5) / FPS;
      const outside = Math.max(0, start + core - at, at - (end - core));
      const pull = strength * Math.exp(-outside / decay);
      sums[i] = sums[i]! + pull * (opening ?? OPENING_OF[viseme]!);
      weights[i] = weights[i]! + pull;
    }
  }
  return Array.from(sums, (sum, i) => sum / weights[i]!);
}

const mean = (values: number[]) => values.reduce((x, y) => x + y, 0) / values.length;

function correlation(a: number[], b: number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [together, ofA, ofB] = [0, 0, 0];
  a.forEach((value, i) => {
    together += (value - meanA) * (b[i]! - meanB);
    ofA += (value - meanA) ** 2;
    ofB += (b[i]! - meanB) ** 2;
  });
  return ofA > 0 && ofB > 0 ? together / Math.sqrt(ofA * ofB) : 0;
}
