import { describe, expect, test } from 'vitest';
import {
  advance,
  multiply,
  placeMatrix,
  placeVector,
} from '../../../../workers/avatar/lipsync/arithmetic.ts';
import { sigmoid } from '../../../../workers/avatar/lipsync/network.ts';

/** Spread over -`most`..`most`, the same in each run. */
const numbers = (count: number, most: number) =>
  Float64Array.from({ length: count }, (_, i) => most * Math.sin(3.7 * i * i + count));
const rowsOf = (count: number, width: number, most: number) =>
  Array.from({ length: count }, () => numbers(width, most));
const product = (rows: Float64Array[], vector: Float32Array) =>
  rows.map((row) => row.reduce((sum, number, i) => sum + number * vector[i]!, 0));

describe('the arithmetic of the network', () => {
  test.each([
    { rows: 1, width: 1 },
    { rows: 8, width: 4 },
    { rows: 90, width: 46 },
  ])('multiplies $rows rows of $width numbers', ({ rows: count, width }) => {
    const rows = rowsOf(count, width, 1);
    // A longer vector before it leaves numbers behind its end.
    multiply(placeMatrix(rowsOf(1, 200, 1)), Float32Array.from(numbers(200, 9)));
    const vector = Float32Array.from(numbers(width, 1));
    const result = multiply(placeMatrix(rows), vector).slice(0, count);
    product(rows, vector).forEach((number, i) => expect(result[i]).toBeCloseTo(number, 5));
  });

  // With large numbers, the gates are wholly open or shut.
  test.each([0.5, 4, 60])('advances a state as the formulas do, numbers up to %d', (most) => {
    const [units, width] = [12, 7];
    const [input, state] = [rowsOf(3 * units, width, most), rowsOf(3 * units, units, most)];
    const [inputBias, stateBias] = [numbers(3 * units, most), numbers(units, most)];
    const features = Float32Array.from(numbers(width, 1));
    const previousState = Float32Array.from(numbers(units, 1));
    const newState = new Float32Array(units);
    const recurrence = {
      units,
      input: placeMatrix(input),
      inputBias: placeVector(inputBias),
      state: placeMatrix(state),
      stateBias: placeVector(stateBias),
    };
    advance(recurrence, features, previousState, newState);

    const fromInput = product(input, features).map((number, i) => number + inputBias[i]!);
    const fromState = product(state, previousState);
    for (let i = 0; i < units; i++) {
      const keep = sigmoid(fromInput[i]! + fromState[i]!);
      const reset = sigmoid(fromInput[units + i]! + fromState[units + i]!);
      const candidate = Math.tanh(
        fromInput[2 * units + i]! + reset * (fromState[2 * units + i]! + stateBias[i]!),
      );
      expect(newState[i]).toBeCloseTo(candidate + keep * (previousState[i]! - candidate), 4);
    }
  });
});
