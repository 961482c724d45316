/** The text of the error that nothing catches. */
export const UNCAUGHT = 'nobody caught this';

const SCRIPT = `process.on('message', (message) => {
  if (message !== 'reject') return;
  Promise.reject(new Error('${UNCAUGHT}'));
});`;

/** Options of Node with which a child process rejects a promise when it is sent `reject`. */
export const REJECTS_ON_MESSAGE = [
  '--import',
  `data:text/javascript,${encodeURIComponent(SCRIPT)}`,
];
