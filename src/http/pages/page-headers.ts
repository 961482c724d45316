type Frames = {
  /** Origins whose pages may frame the page. */
  ancestors?: readonly string[];
  /** The page may frame pages of its own origin. */
  hasOwn?: boolean;
};

/** Headers of every page. `connects`: the other origins that the page may connect to. */
export function pageHeaders(
  connects: readonly string[],
  frames: Frames = {},
): Record<string, string> {
  return {
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy(connects, frames),
    'cross-origin-opener-policy': 'same-origin',
    // The try page uses the microphone.
    'permissions-policy': devicesOf('microphone'),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

const devices = ['camera', 'microphone', 'geolocation', 'display-capture'];

/** Permissions-Policy that allows only these devices. */
export const devicesOf = (...allowed: string[]): string =>
  devices.map((name) => `${name}=(${allowed.includes(name) ? 'self' : ''})`).join(', ');

function contentSecurityPolicy(
  connects: readonly string[],
  { ancestors = [], hasOwn = false }: Frames,
): string {
  return [
    "default-src 'none'",
    // The speech synthesizer is WebAssembly.
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    ['connect-src', "'self'", ...connects].join(' '),
    ...(hasOwn ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    ['frame-ancestors', ...(ancestors.length > 0 ? ancestors : ["'none'"])].join(' '),
  ].join('; ');
}
