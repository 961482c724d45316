/** Names the models of agents without their own, for the person who starts the service. */
export type DefaultModels = {
  /** Null: they answer from their files. */
  thinks: { model: string; by: 'service' | 'ollama' } | null;
  /** Null: with what agent workers bring along. */
  hears: string | null;
  speaks: string | null;
  /** The models of Ollama. Null: it was not found, or not looked for. */
  installed: readonly string[] | null;
};
