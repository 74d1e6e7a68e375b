export { addedCalls, addedScreens } from './additions.ts';
export { type SpecCall, specCalls } from './calls.ts';
export { specScreens } from './screens.ts';
