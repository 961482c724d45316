/** For the browser's console of a page that may not show an agent. */
export const notAllowedText = (agentId: string, origin: string): string =>
  `troupe-agent: ${origin} may not show the agent ${agentId}. Its owner can allow it: add ${origin} to the pages that may show it, on its page in the console, or to its allowed_origins by the API.`;
