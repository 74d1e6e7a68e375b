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
    <path d="M5 2.200 7.200 3.500v2.600L5 7.400 2.800 6.100V3.500zM11 2.200l2.200 1.300v2.600L11 7.400 8.800 6.100V3.500zM8 8.400l2.200 1.300v2.600L8 13.600l-2.200-1.300V9.700z" />
  ),
  sim: (
    <>
      <path d="M3.5 2h6L13 5.5v8a.5.5 0 0 1-.5.5h-9a.5.5 0 0 1-.5-.5v-11a.5.5 0 0 1 .5-.5z" />
      <path d="M5.7 8h4.6v3.6H5.7zM8 8v3.6" />
    </>
  ),
  service: <path d="M2.500 12.500 6 8l2.600 2.600L13.500 4M10.200 4h3.300v3.300" />,
  pool: (
    <>
      <ellipse cx="8" cy="4" rx="5" ry="1.800" />
      <path d="M3 4v8c0 1 2.200 1.800 5 1.800s5-.8 5-1.800V4M3 8c0 1 2.200 1.800 5 1.800s5-.8 5-1.800" />
    </>
  ),
  cdr: <path d="M2.5 3h11v10h-11zM2.5 6.300h11M2.500 9.700h11M6 3v10" />,
  sms: (
    <>
      <path d="M2.500 3h11v8.500H7.200L4.500 13.800v-2.300h-2z" />
      <path d="M5.300 6.200h5.400M5.300 8.500h3.400" />
    </>
  ),
  autoflow: (
    <path d="M2.500 2.500h4v4h-4zM9.500 9.500h4v4h-4zM4.500 6.500v3a2 2 0 0 0 2 2h3M6.500 4.500h3a2 2 0 0 1 2 2v3" />
  ),
  finance: <path d="M2.5 3.500h11v9h-11zM2.500 6.500h11M5 10h2.500" />,
  report: <path d="M3.500 2h6L12.500 5v9h-9zM9.500 2v3h3M5.800 8h4.400M5.800 10.500h4.400" />,
  developer: (
    <path d="M5.200 4.500 1.800 8l3.400 3.500M10.800 4.500 14.200 8l-3.400 3.500M9.300 3 6.700 13" />
  ),
  organisation: (
    <>
      <path d="M2.5 13.5v-11h6v11M8.5 6.5h5v7M1.5 13.5h13" />
      <path d="M5 5.3h1M5 8h1M5 10.7h1M10.7 9h.8M10.7 11.3h.8" />
    </>
  ),
  task: (
    <path d="M2.5 4.300l1.2 1.200 2-2.400M8.500 4.300h5M2.500 10.800l1.200 1.200 2-2.400M8.500 10.800h5" />
  ),
  settings: (
    <>
      <circle cx="8" cy="8" r="2.200" />
      <path d="M8 1.800v2M8 12.200v2M1.800 8h2M12.200 8h2M3.600 3.600 5 5M11 11l1.400 1.400M12.400 3.600 11 5M5 11l-1.400 1.400" />
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
  collapse: <path d="M10.5 4.5 7 8l3.5 3.500M3.5 3v10" />,
  expand: <path d="M5.5 4.5 9 8l-3.5 3.500M12.5 3v10" />,
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
      <path d="M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.400l1.1 1.100M11.5 11.500l1.1 1.100M12.6 3.400l-1.1 1.100M4.5 11.500l-1.1 1.1" />
    </>
  ),
  dark: <path d="M13.3 9.600A5.7 5.7 0 1 1 6.4 2.700a4.6 4.6 0 0 0 6.9 6.900z" />,
  system: <path d="M2 3h12v8H2zM5.5 13.500h5M8 11v2.5" />,
  language: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M2.2 8h11.6M8 2.2c2 1.6 2.8 3.6 2.8 5.8S10 12.2 8 13.8C6 12.2 5.2 10.2 5.2 8S6 3.8 8 2.200z" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 4.800V8l2.2 1.5" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.3" r="2.8" />
      <path d="M2.8 13.5c.6-2.700 2.700-4 5.200-4s4.600 1.300 5.200 4" />
    </>
  ),
  key: (
    <>
      <circle cx="5.200" cy="10.800" r="2.900" />
      <path d="m7.300 8.700 5.900-5.900M11 5l1.800 1.800M9.300 6.700l1.300 1.300" />
    </>
  ),
  keyboard: (
    <>
      <rect x="1.800" y="4" width="12.400" height="8" rx="1.200" />
      <path d="M4.300 6.700h.1M6.700 6.700h.1M9.200 6.700h.1M11.700 6.700h.1M5 9.500h6" />
    </>
  ),
  bolt: <path d="M8.800 1.800 3.500 9h4l-.6 5.200L12.500 7h-4z" />,
  view: <path d="M2.500 5h11M2.500 8h11M2.500 11h6M4.500 2.500v2.500" />,
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.500" rx="1.200" />
      <path d="M5.200 7V5a2.800 2.800 0 0 1 5.600 0v2" />
    </>
  ),
  network: (
    <>
      <circle cx="8" cy="8" r="5.800" />
      <path d="m3.900 3.900 8.200 8.200" />
    </>
  ),
  check: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  help: (
    <path d="M8 4.200C6.8 3.2 4.8 2.8 2.5 2.800v9.400c2.3 0 4.3.4 5.5 1.4 1.2-1 3.2-1.4 5.5-1.400V2.800c-2.3 0-4.3.4-5.5 1.400zM8 4.200v9.2" />
  ),
} as const satisfies Record<string, ReactNode>;
