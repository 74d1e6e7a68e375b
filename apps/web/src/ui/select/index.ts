export { Select, type SelectProps, useServerSearch } from './select.tsx';
