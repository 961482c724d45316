/** The code is in the fragment, which browsers send to no server: no log or proxy sees it. */
export const pageLink = (address: string, code: string): string =>
  `${address.replace(/\/+$/, '')}/#code=${code}`;
