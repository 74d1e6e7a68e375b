export { ButtonLink } from './button-link.tsx';
