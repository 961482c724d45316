import type { CalmBy, Row } from './report/row.ts';
import type { Stage } from './stage.ts';

export type Tools = {
  /** The whole service, started for the first bench that needs it and shared by the others. */
  stage: () => Promise<Stage>;
  /** Prints progress. */
  say: (line: string) => void;
};

export type Bench = {
  name: string;
  description: string;
  /** Measure of a calm machine for this bench. Default: `pressure`. */
  calmBy?: CalmBy;
  /** Runs only when named, because it takes too long. */
  onlyByName?: boolean;
  /** Belongs to the benches that `npm run bench -- media` runs as one set. */
  isOfMedia?: boolean;
  run: (tools: Tools) => Promise<Row[]>;
};

/** A bench of the whole service. */
export type Measure = (stage: Stage, say: Tools['say']) => Promise<Row[]>;
