export { measureOf } from './measure.ts';
export { TextField } from './text-field.tsx';
