/** What says by numbers what texts mean: for each a vector of the length 1, of like direction for like meaning. */
export type Embedder = {
  /** Vectors of two spaces cannot be compared. */
  space: string;
  /** What its owner has to look at when it fails; null: what the service is set up with. */
  externalApiId: string | null;
  /** In their order, all with the same number of dimensions. Throws when they do not come in time, or not as they must be. */
  embed(texts: readonly string[], withinMs: number, stop: AbortSignal): Promise<Float32Array[]>;
};

/** It does not take these texts: others it may take. */
export class TextsRefused extends Error {
  override readonly name = 'TextsRefused';
}
