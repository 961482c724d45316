/*
 * Reads answers of OpenAI-compatible embedding endpoints. They are untrusted: anything but one
 * vector per text, all of equal dimensions, is an error.
 */

/** Upper bound, to limit memory. No model exceeds it. */
const MAX_DIMENSIONS = 4_096;
/** Fits `MAX_DIMENSIONS` with all digits. */
const VECTOR_BYTES = 128 * 1024;
/** Fits all around the vectors. */
const ENVELOPE_BYTES = 64 * 1024;

/** Limit of an answer with so many vectors. */
export const maxAnswerBytes = (texts: number): number => ENVELOPE_BYTES + texts * VECTOR_BYTES;

/** Vectors in the order of the texts. Throws on any other answer. */
export function vectorsIn(body: Uint8Array, count: number): Float32Array[] {
  const rows = (JSON.parse(Buffer.from(body).toString('utf8')) as { data?: unknown } | null)?.data;
  if (!Array.isArray(rows) || rows.length !== count)
    throw new Error('the answer does not have one vector per text');
  const vectors = new Map<unknown, Float32Array>();
  for (const [at, row] of rows.entries()) {
    const { index = at, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    vectors.set(index, vectorOf(embedding));
  }
  return rows.map((_, at) => {
    const vector = vectors.get(at);
    if (!vector) throw new Error('the answer has wrong indices');
    if (vector.length !== vectors.get(0)?.length)
      throw new Error('the answer has vectors of different dimensions');
    return vector;
  });
}

function vectorOf(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS)
    throw new Error('the answer has an invalid embedding');
  const vector = Float32Array.from(embedding as unknown[], (each) =>
    typeof each === 'number' ? each : Number.NaN,
  );
  // Numbers too large for 32 bits became infinite.
  const length = Math.hypot(...vector);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    throw new Error('the answer has a vector of invalid length');
  return vector.map((each) => each / length);
}
