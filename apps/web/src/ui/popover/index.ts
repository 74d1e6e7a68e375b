export { Floating, type Placement, useFloats } from './floating.tsx';
export { Popover, type PopoverProps } from './popover.tsx';
