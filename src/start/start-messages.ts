export type ProgramName = 'control' | 'worker' | 'agent' | 'media-server';

/** What a person or a test needs to use the running service. */
export type ServiceFacts = {
  /** Where this machine reaches the API, e.g. `http://127.0.0.1:8080`. */
  address: string;
  /** The first key, made just now and never shown again. */
  newKey?: string;
  mediaServer: { url: string; apiKey: string; apiSecret: string };
  dataDir: string;
};

/** What the supervisor says over IPC to whoever started it. */
export type StartMessage =
  | { type: 'program'; name: string; pid: number | null }
  | { type: 'ready'; service: ServiceFacts }
  | { type: 'failed'; reason: string };
