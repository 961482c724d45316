export const MICROPHONE_ICON =
  'M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3Zm-6.5 8.5a6.5 6.5 0 0 0 13 0M12 18v3.2M8.7 21.2h6.6';
export const CAMERA_ICON = 'M3.5 7.5h11v9h-11zM14.5 10.8 20.5 7.6v8.8l-6-3.2';
export const LEAVE_ICON =
  'M4.2 14.6c-1-3.2 3.6-5.6 7.8-5.6s8.8 2.4 7.8 5.6c-.3 1-1.3 1.3-2.3 1l-2-.6c-.8-.2-1.2-.8-1.2-1.6v-1.2a8.8 8.8 0 0 0-4.6 0v1.2c0 .8-.4 1.4-1.2 1.6l-2 .6c-1 .3-2 0-2.3-1Z';
export const SEND_ICON = 'M12 19V5.5M6 11.2l6-6 6 6';
