import type { Light } from '@simcube/contract/diagnose';
import type { ReactNode } from 'react';
import styles from './light.module.css';

/** Each light has its own shape: state is never shown by colour alone. */
const shapes: Record<Light, ReactNode> = {
  good: <path d="m4.600 8.300 2.300 2.300 4.500-4.800" />,
  warning: <path d="M8 4.300v4.500M8 11.500v.1" />,
  bad: <path d="m5.300 5.300 5.400 5.400m0-5.400-5.400 5.400" />,
  unknown: (
    <path d="M6.100 6.200c.1-1.200 1-1.900 2-1.900s1.900.7 1.900 1.800c0 1.500-1.900 1.600-1.900 3.100M8.100 11.700v.1" />
  ),
};

export const LightSign = ({ light, size = 20 }: { light: Light; size?: number }) => (
  <svg
    aria-hidden="true"
    className={styles['sign']}
    data-light={light}
    height={size}
    viewBox="0 0 16 16"
    width={size}
  >
    <circle cx="8" cy="8" r="7.500" />
    {shapes[light]}
  </svg>
);
