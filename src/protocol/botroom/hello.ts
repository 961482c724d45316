/* Apart from the schemas, so that pages need not load those. */
export const HELLO_VERSION = 1;

/** Sent only to clients that announced them. */
export const OPTIONAL_RECORDS = ['playback', 'caption', 'statistics'] as const;
export type OptionalRecord = (typeof OPTIONAL_RECORDS)[number];
