/** What this version can show. */
export const VIDEO = { width: 512, height: 512, fps: 25 } as const;
