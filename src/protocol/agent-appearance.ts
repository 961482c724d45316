/* Limits of the appearance that an owner gives an agent. */
export const MAX_LOGO_BYTES = 64 * 1024;
/** Bounds what browsers decode: a small file may hold a huge picture. */
export const MAX_LOGO_SIDE = 1024;
/** Browsers show these without running anything. SVG files may hold scripts. */
export const LOGO_KINDS = ['png', 'jpeg', 'webp'] as const;
export const MAX_WELCOME_LENGTH = 500;
