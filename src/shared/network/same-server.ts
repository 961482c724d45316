/** Compares host and port. ws equals http, and all names of this machine are equal. */
export const isSameServer = (url: string, otherUrl: string): boolean =>
  hostOf(url) === hostOf(otherUrl);

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Host and port; null if `text` is not a URL. */
function hostOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  const defaultPort = /^(wss|https):$/.test(protocol) ? '443' : '80';
  return `${hostname.replace(loopback, 'localhost')}:${port || defaultPort}`;
}
