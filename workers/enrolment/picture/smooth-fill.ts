/** Values of several channels over a rectangle, only some of them known. */
type FillLevel = {
  width: number;
  height: number;
  channels: Float32Array[];
  /** 1 where the value is known. */
  knownMask: Uint8Array;
};

const SMALLEST = 6;
/** Iterations after the half-size solution, which leaves little error. */
const SWEEPS = 14;
const ROUGH_SWEEPS = 60;
/** Factor of successive over-relaxation. */
const RELAXATION = 1.6;

/**
 * Fills unknown values in place so that each is the mean of its neighbours, like a membrane. Used
 * to move skin smoothly, to paint the background behind the head, and to give hair depth.
 */
export function fillSmoothly(level: FillLevel): void {
  const { width, height } = level;
  const isSmall = Math.min(width, height) <= SMALLEST;
  if (!isSmall) takeFrom(level, roughly(level));
  else startWithMean(level);
  for (const values of level.channels) {
    for (let sweep = 0; sweep < (isSmall ? ROUGH_SWEEPS : SWEEPS); sweep++) {
      relax(values, level.knownMask, width, height, sweep % 2 === 0);
    }
  }
}

/** The same at half the size: a cell is the mean of its known pixels. */
function roughly(fine: FillLevel): FillLevel {
  const width = Math.ceil(fine.width / 2);
  const height = Math.ceil(fine.height / 2);
  const rough: FillLevel = {
    width,
    height,
    channels: fine.channels.map(() => new Float32Array(width * height)),
    knownMask: new Uint8Array(width * height),
  };
  const four = new Int32Array(4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let count = 0;
      for (let y = 2 * row; y < Math.min(2 * row + 2, fine.height); y++) {
        for (let x = 2 * column; x < Math.min(2 * column + 2, fine.width); x++) {
          if (fine.knownMask[y * fine.width + x]) four[count++] = y * fine.width + x;
        }
      }
      if (count === 0) continue;
      const cell = row * width + column;
      rough.knownMask[cell] = 1;
      for (const [channel, values] of fine.channels.entries()) {
        let sum = 0;
        for (let i = 0; i < count; i++) sum += values[four[i]!]!;
        rough.channels[channel]![cell] = sum / count;
      }
    }
  }
  fillSmoothly(rough);
  return rough;
}

function takeFrom(fine: FillLevel, rough: FillLevel) {
  fine.channels.forEach((values, i) => {
    const from = rough.channels[i]!;
    for (let row = 0; row < fine.height; row++) {
      const y = Math.min(rough.height - 1, Math.max(0, (row - 0.5) / 2));
      const above = Math.min(rough.height - 1, Math.floor(y)) * rough.width;
      const below = Math.min(rough.height - 1, Math.floor(y) + 1) * rough.width;
      for (let column = 0; column < fine.width; column++) {
        if (fine.knownMask[row * fine.width + column]) continue;
        const x = Math.min(rough.width - 1, Math.max(0, (column - 0.5) / 2));
        const leftColumn = Math.floor(x);
        const rightColumn = Math.min(rough.width - 1, leftColumn + 1);
        const upper =
          from[above + leftColumn]! +
          (from[above + rightColumn]! - from[above + leftColumn]!) * (x - leftColumn);
        const lower =
          from[below + leftColumn]! +
          (from[below + rightColumn]! - from[below + leftColumn]!) * (x - leftColumn);
        values[row * fine.width + column] = upper + (lower - upper) * (y - Math.floor(y));
      }
    }
  });
}

function startWithMean({ channels, knownMask }: FillLevel) {
  for (const values of channels) {
    let sum = 0;
    let count = 0;
    knownMask.forEach((isKnown, at) => {
      if (!isKnown) return;
      sum += values[at]!;
      count++;
    });
    const mean = count === 0 ? 0 : sum / count;
    knownMask.forEach((isKnown, at) => {
      if (!isKnown) values[at] = mean;
    });
  }
}

function relax(
  values: Float32Array,
  knownMask: Uint8Array,
  width: number,
  height: number,
  isForward: boolean,
) {
  const step = isForward ? 1 : -1;
  for (let row = isForward ? 0 : height - 1; row >= 0 && row < height; row += step) {
    const up = row > 0 ? -width : width;
    const down = row < height - 1 ? width : -width;
    for (let column = isForward ? 0 : width - 1; column >= 0 && column < width; column += step) {
      const at = row * width + column;
      if (knownMask[at]) continue;
      const leftValue = values[column > 0 ? at - 1 : at + 1]!;
      const rightValue = values[column < width - 1 ? at + 1 : at - 1]!;
      const beside = leftValue + rightValue + values[at + up]! + values[at + down]!;
      values[at] = values[at]! + RELAXATION * (beside / 4 - values[at]!);
    }
  }
}
