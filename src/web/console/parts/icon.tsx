/** Drawn in the text colour. A text label always accompanies them. */
const paths = {
  home: 'M4 11.2 12 4.5l8 6.7M6 9.8v9.7h4.2v-5.3h3.6v5.3H18V9.8',
  sessions: 'M4.5 6.5h10v11h-10zM14.5 10.6l5-3v8.8l-5-3',
  conversations: 'M4.5 5h10v6.500h-6L4.5 15zM10.500 14.500h4.500l4.500 3.500v-9.500h-2',
  start: 'M9.2 7.5 4.7 12l4.5 4.5M14.8 7.5l4.5 4.5-4.5 4.5',
  keys: 'M13.2 10.8a4.2 4.2 0 1 0-2 2L13.4 15h2.3v2.3H18v2.2h2v-2.9l-6.8-5.8ZM7.6 8.3h.1',
  agents:
    'M8 4.5h8a3.5 3.5 0 0 1 3.5 3.5v4.5A3.5 3.5 0 0 1 16 16h-3.5L8 19.5V16a3.5 3.5 0 0 1-3.5-3.5V8A3.5 3.5 0 0 1 8 4.5ZM9 10.2h.1M12 10.2h.1M15 10.2h.1',
  person:
    'M12 4.5a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2ZM5 19.5c.5-3.4 3.4-5.2 7-5.2s6.5 1.8 7 5.2',
  people:
    'M9 5.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM3.5 18.500c.4-2.8 2.6-4.3 5.5-4.300s5.1 1.5 5.5 4.300M15.5 5.800a3 3 0 0 1 0 5.600M17 14.500c2 .5 3.2 1.9 3.5 4',
  requests: 'M4.5 8.500h13M14 5l3.5 3.500L14 12M19.5 15.500h-13M10 12l-3.5 3.500L10 19',
  playground: 'M4.5 5h15v10.5h-15zM8.5 19.5h7M12 15.500v4M10.500 7.800v5l4-2.500z',
  avatars: 'M4.5 5h15v14h-15zM9 9.7h.1M15 9.7h.1M8.5 13.5c.8 1.5 2 2.2 3.5 2.2s2.7-.7 3.5-2.2',
  knowledge: 'M6 4.5h8.5L18.5 8.5v11H6zM14 4.8V9h4.2M9 12.5h6.5M9 15.8h6.5',
  apis: 'M9.5 4.5v4.2M14.5 4.5v4.2M7 8.7h10v3.5a5 5 0 0 1-10 0zM12 17.2v3',
  webhooks:
    'M12 4.8a3 3 0 0 1 2.4 4.8L17.2 15M9.8 9.8 7 15M9.2 17.5H15M7 15a2.6 2.6 0 1 0 0 5 2.6 2.6 0 0 0 0-5ZM17.3 15a2.6 2.6 0 1 0 0 5 2.6 2.6 0 0 0 0-5ZM12 4.8a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2Z',
  fleet: 'M4.5 5.5h15v5h-15zM4.5 13.5h15v5h-15zM8 8h.1M8 16h.1M11.5 8h4.5M11.5 16h4.5',
  health: 'M3.5 12.5h4l2.3-6 4.2 11.5 2.3-5.5h4.2',
  audit: 'M7 4.5h10v15H7zM9.8 8.5h4.4M9.8 12h4.4M9.8 15.5h2.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  docs: 'M5 5.5c2.5-.8 5-.5 7 1 2-1.5 4.5-1.8 7-1v12.3c-2.5-.8-5-.5-7 1-2-1.5-4.5-1.8-7-1zM12 6.5v12.3',
  open: 'M9 6H5.5v12.5H18V15M12.5 5.5H19V12M18.5 6 11 13.5',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
