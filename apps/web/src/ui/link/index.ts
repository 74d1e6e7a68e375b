export { Link, type LinkProps, wantsNewTab } from './link.tsx';
