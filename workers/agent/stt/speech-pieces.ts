/** How long it must be quiet for a cut. The closure of a `t` is shorter. */
const QUIET_SECONDS = 0.1;
const STEPS_PER_SECOND = 100;

/** Divides speech into pieces of at most `longestSeconds`, where it is quietest. */
export function piecesOf(
  samples: Float32Array,
  sampleRate: number,
  longestSeconds: number,
): Float32Array[] {
  const maxSamples = Math.floor(longestSeconds * sampleRate);
  const pieces: Float32Array[] = [];
  let tail = samples;
  while (tail.length > maxSamples) {
    const half = Math.floor(maxSamples / 2);
    const cut = half + quietestIn(tail.subarray(half, maxSamples), sampleRate);
    pieces.push(tail.subarray(0, cut));
    tail = tail.subarray(cut);
  }
  return [...pieces, tail];
}

/** The middle of the span of QUIET_SECONDS with the least energy. */
function quietestIn(samples: Float32Array, sampleRate: number): number {
  const step = Math.floor(sampleRate / STEPS_PER_SECOND);
  const energies = Array.from({ length: Math.floor(samples.length / step) }, (_, i) =>
    energyOf(samples.subarray(i * step, (i + 1) * step)),
  );
  const width = QUIET_SECONDS * STEPS_PER_SECOND;
  let quietest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + width <= energies.length; at += 1) {
    const energy = energies.slice(at, at + width).reduce((sum, each) => sum + each, 0);
    if (energy < least) [quietest, least] = [at, energy];
  }
  return Math.round((quietest + width / 2) * step);
}

const energyOf = (samples: Float32Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0);
