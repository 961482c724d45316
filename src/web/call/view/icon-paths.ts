/** Drawn in the text colour, in a box of 24. A text label always accompanies them. */
export const iconPaths = {
  microphone:
    'M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3Zm-6.5 8.5a6.5 6.5 0 0 0 13 0M12 18v3.2M8.7 21.2h6.6',
  camera: 'M3.5 7.5h11v9h-11zM14.5 10.8 20.5 7.6v8.8l-6-3.2',
  leave:
    'M4.2 14.6c-1-3.2 3.6-5.6 7.8-5.6s8.8 2.4 7.8 5.6c-.3 1-1.3 1.3-2.3 1l-2-.6c-.8-.2-1.2-.8-1.2-1.6v-1.2a8.8 8.8 0 0 0-4.6 0v1.2c0 .8-.4 1.4-1.2 1.6l-2 .6c-1 .3-2 0-2.3-1Z',
  devices:
    'M4 7h9M17.5 7H20M4 12h2.5M11 12h9M4 17h9M17.5 17H20M13 7a2.2 2.2 0 1 0 4.5 0A2.2 2.2 0 0 0 13 7ZM6.5 12a2.2 2.2 0 1 0 4.5 0 2.2 2.2 0 0 0-4.5 0ZM13 17a2.2 2.2 0 1 0 4.5 0 2.2 2.2 0 0 0-4.5 0Z',
  chat: 'M5 5.5h14a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8L6.5 20v-3.5H5A1.5 1.5 0 0 1 3.5 15V7A1.5 1.5 0 0 1 5 5.5ZM8 9.5h8M8 12.5h5',
  close: 'M6 6l12 12M18 6 6 18',
  send: 'M12 19V5.5M6 11.2l6-6 6 6',
} as const;

export type IconName = keyof typeof iconPaths;
