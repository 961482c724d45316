/** For the browser's console of a page that may not show an agent. */
export const notAllowedText = (agentId: string, origin: string): string =>
  `troupe-agent: ${origin} may not show the agent ${agentId}. To allow it, add ${origin} under “Pages that may embed it” on the page of the agent in the console, or to its allowed_origins through the API.`;
