/** The code is in the fragment, which browsers send to no server: no log or proxy sees it. */
export const pageLink = (address: string, code: string): string =>
  `${address.replace(/\/+$/, '')}/#code=${code}`;

/** Opens the console once, as an invited person or as the one it was made for. */
export const consoleLink = (address: string, code: string): string =>
  `${address.replace(/\/+$/, '')}/console#link=${code}`;
