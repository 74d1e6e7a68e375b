export { degreesText } from './degrees-text.ts';
export { PlaceName } from './place-name.tsx';
export { usePlace } from './use-place.ts';
