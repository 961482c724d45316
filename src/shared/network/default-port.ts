/** PORT of a control plane. */
export const DEFAULT_PORT = 8080;
