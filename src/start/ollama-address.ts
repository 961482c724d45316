const PORT = 11434;
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Where this machine reaches the Ollama that OLLAMA_HOST describes, which is the address that it
 * listens at: `0.0.0.0`, `host`, `host:port`, `:port` or a URL. Null if it is none of them.
 */
export function ollamaAddress(ollamaHost = ''): string | null {
  const text = ollamaHost.trim();
  const hasScheme = /^https?:\/\//.test(text);
  const place = hasScheme ? text : `http://${text.replace(/^(?=:\d|$)/, '127.0.0.1')}`;
  if (!URL.canParse(place)) return null;
  const { protocol, hostname } = new URL(place);
  // Read from the text: a URL has no port if it is the usual one of its scheme.
  const [, given] = /:(\d+)\/?$/.exec(place) ?? [];
  const port = given ?? (hasScheme ? PORTS[protocol] : PORT);
  return `${protocol}//${reachable(hostname)}:${port}`;
}

const reachable = (hostname: string): string => {
  if (hostname === '0.0.0.0') return '127.0.0.1';
  return hostname === '[::]' ? '[::1]' : hostname;
};
