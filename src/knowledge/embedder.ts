/** A model at an endpoint. */
export type EmbeddingModel = {
  /** Identifies the model. Vectors of different spaces are not comparable. */
  space: string;
  /** The external API to name when it fails; null: the service's configured model. */
  externalApiId: string | null;
};

/** Requests embeddings, without reading the answer: it may be long. */
export type EmbeddingEndpoint = EmbeddingModel & {
  /** Throws on a timeout or a refusal. */
  request(texts: readonly string[], withinMs: number, stop: AbortSignal): Promise<Uint8Array>;
};

/** Computes embeddings: unit vectors with similar directions for texts of similar meaning. */
export type Embedder = EmbeddingModel & {
  /**
   * One vector per text, in order, of equal dimensions. Throws on a timeout or an invalid answer.
   */
  embed(texts: readonly string[], withinMs: number, stop: AbortSignal): Promise<Float32Array[]>;
};

/** The model rejects these texts, but may accept others. */
export class TextsRefused extends Error {
  override readonly name = 'TextsRefused';
}
