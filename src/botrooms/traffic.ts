/** Counts of all rooms since the start, for metrics. */
export type Traffic = { bytesFromClients: number; bytesToClients: number; picturesDropped: number };

export const noTraffic = (): Traffic => ({
  bytesFromClients: 0,
  bytesToClients: 0,
  picturesDropped: 0,
});
