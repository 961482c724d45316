/**
 * Calls `run` for each error that nothing caught. The state of the process is unknown then: `run`
 * logs the error and ends the process, in the order that its parts need.
 */
export function onUncaught(run: (error: unknown, kind: string) => void): void {
  process.on('uncaughtException', (error) => run(error, 'uncaught error'));
  process.on('unhandledRejection', (error) => run(error, 'unhandled rejection'));
}
