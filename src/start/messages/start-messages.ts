import type { DefaultModels } from '#shared/process/default-models.ts';
import type { SpeechPart } from '#shared/process/speech-installs.ts';

export type ProgramName = 'control' | 'worker' | 'agent' | 'media-server';

/** Addresses and credentials of the running service. */
export type ServiceFacts = {
  /** The API's address on this machine, e.g. `http://127.0.0.1:8080`. */
  address: string;
  /** The first key, created by this start and never shown again. */
  newKey?: string;
  /** Opens the try page in one browser, once. */
  pageCode: string;
  /** A link that opens the console once, as owner. Absent if a person has a password. */
  consoleCode?: string;
  /** `isNew`: this start created the key and the secret. */
  mediaServer: { url: string; apiKey: string; apiSecret: string; isNew: boolean };
  /** Models of agents. Absent: no agent worker runs here. */
  models?: DefaultModels;
  /** Continues in the background. */
  installing?: SpeechPart[];
  dataDir: string;
};

/** Messages of the supervisor to its parent, over IPC. */
export type StartMessage =
  | { type: 'program'; name: string; pid: number | null }
  | { type: 'ready'; service: ServiceFacts }
  | { type: 'failed'; reason: string };
