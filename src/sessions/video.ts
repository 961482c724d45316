/** The only video format of this version. */
export const VIDEO = { width: 512, height: 512, fps: 25 } as const;
