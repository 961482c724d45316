/** Computes embeddings: unit vectors with similar directions for texts of similar meaning. */
export type Embedder = {
  /** Identifies the model. Vectors of different spaces are not comparable. */
  space: string;
  /** The external API to name when it fails; null: the service's configured model. */
  externalApiId: string | null;
  /**
   * One vector per text, in order, of equal dimensions. Throws on a timeout or an invalid answer.
   */
  embed(texts: readonly string[], withinMs: number, stop: AbortSignal): Promise<Float32Array[]>;
};

/** The model rejects these texts, but may accept others. */
export class TextsRefused extends Error {
  override readonly name = 'TextsRefused';
}
