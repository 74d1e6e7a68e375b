import type { ReactNode } from 'react';

export type IconName = keyof typeof paths;

/** Line icons of the shell, 16 × 16, in the colour of the surrounding text. Always used next to a text or with a label. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    viewBox="0 0 16 16"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {paths[name]}
  </svg>
);

const paths = {
  dashboard: <path d="M2.5 2.5h4.4v5.2H2.5zM9.1 2.5h4.4v3H9.1zM9.1 8.3h4.4v5.2H9.1zM2.5 10.5h4.4v3H2.5z" />,
  heatmap: (
    <path d="M5 2.2 7.2 3.5v2.6L5 7.4 2.8 6.1V3.5zM11 2.2l2.2 1.3v2.6L11 7.4 8.8 6.1V3.5zM8 8.4l2.2 1.3v2.6L8 13.6l-2.2-1.3V9.7z" />
  ),
  sim: (
    <>
      <path d="M3.5 2h6L13 5.5v8a.5.5 0 0 1-.5.5h-9a.5.5 0 0 1-.5-.5v-11a.5.5 0 0 1 .5-.5z" />
      <path d="M5.7 8h4.6v3.6H5.7zM8 8v3.6" />
    </>
  ),
  service: <path d="M2.5 12.5 6 8l2.6 2.6L13.5 4M10.2 4h3.3v3.3" />,
  pool: (
    <>
      <ellipse cx="8" cy="4" rx="5" ry="1.8" />
      <path d="M3 4v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8" />
    </>
  ),
  cdr: <path d="M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6 3v10" />,
  sms: (
    <>
      <path d="M2.5 3h11v8.5H7.2L4.5 13.8v-2.3h-2z" />
      <path d="M5.3 6.2h5.4M5.3 8.5h3.4" />
    </>
  ),
  autoflow: <path d="M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM4.5 6.5v3a2 2 0 0 0 2 2h3M6.5 4.5h3a2 2 0 0 1 2 2v3" />,
  finance: <path d="M2.5 3.5h11v9h-11zM2.5 6.5h11M5 10h2.5" />,
  report: <path d="M3.5 2h6L12.5 5v9h-9zM9.5 2v3h3M5.8 8h4.4M5.8 10.5h4.4" />,
  developer: <path d="M5.2 4.5 1.8 8l3.4 3.5M10.8 4.5 14.2 8l-3.4 3.5M9.3 3 6.7 13" />,
  organisation: (
    <>
      <path d="M2.5 13.5v-11h6v11M8.5 6.5h5v7M1.5 13.5h13" />
      <path d="M5 5.3h1M5 8h1M5 10.7h1M10.7 9h.8M10.7 11.3h.8" />
    </>
  ),
  task: <path d="M2.5 4.3l1.2 1.2 2-2.4M8.5 4.3h5M2.5 10.8l1.2 1.2 2-2.4M8.5 10.8h5" />,
  settings: (
    <>
      <circle cx="8" cy="8" r="2.2" />
      <path d="M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4" />
    </>
  ),
  add: <path d="M8 3v10M3 8h10" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.3" />
      <path d="m10.3 10.3 3.2 3.2" />
    </>
  ),
  menu: <path d="M2.5 4.2h11M2.5 8h11M2.5 11.8h11" />,
  collapse: <path d="M10.5 4.5 7 8l3.5 3.5M3.5 3v10" />,
  expand: <path d="M5.5 4.5 9 8l-3.5 3.5M12.5 3v10" />,
  chevron: <path d="m4.5 6.3 3.5 3.5 3.5-3.5" />,
  signOut: <path d="M6.5 2.5h-4v11h4M10.5 5l3 3-3 3M13.2 8H6.3" />,
  about: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 7.3v3.6M8 5.1v.1" />
    </>
  ),
  light: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1" />
    </>
  ),
  dark: <path d="M13.3 9.6A5.7 5.7 0 1 1 6.4 2.7a4.6 4.6 0 0 0 6.9 6.9z" />,
  system: <path d="M2 3h12v8H2zM5.5 13.5h5M8 11v2.5" />,
  language: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M2.2 8h11.6M8 2.2c2 1.6 2.8 3.6 2.8 5.8S10 12.2 8 13.8C6 12.2 5.2 10.2 5.2 8S6 3.8 8 2.2z" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 4.8V8l2.2 1.5" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.3" r="2.8" />
      <path d="M2.8 13.5c.6-2.7 2.7-4 5.2-4s4.6 1.3 5.2 4" />
    </>
  ),
  key: (
    <>
      <circle cx="5.2" cy="10.8" r="2.9" />
      <path d="m7.3 8.7 5.9-5.9M11 5l1.8 1.8M9.3 6.7l1.3 1.3" />
    </>
  ),
  keyboard: (
    <>
      <rect x="1.8" y="4" width="12.4" height="8" rx="1.2" />
      <path d="M4.3 6.7h.1M6.7 6.7h.1M9.2 6.7h.1M11.7 6.7h.1M5 9.5h6" />
    </>
  ),
  bolt: <path d="M8.8 1.8 3.5 9h4l-.6 5.2L12.5 7h-4z" />,
  view: <path d="M2.5 5h11M2.5 8h11M2.5 11h6M4.5 2.5v2.5" />,
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.5" rx="1.2" />
      <path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" />
    </>
  ),
  network: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="m3.9 3.9 8.2 8.2" />
    </>
  ),
  check: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  help: (
    <path d="M8 4.2C6.8 3.2 4.8 2.8 2.5 2.8v9.4c2.3 0 4.3.4 5.5 1.4 1.2-1 3.2-1.4 5.5-1.4V2.8c-2.3 0-4.3.4-5.5 1.4zM8 4.2v9.2" />
  ),
} as const satisfies Record<string, ReactNode>;
