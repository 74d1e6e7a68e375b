export { Floating, type Placement, useOwnRole } from './floating.tsx';
export { Popover, type PopoverProps } from './popover.tsx';
