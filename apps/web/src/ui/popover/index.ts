export { Floating, type Placement, useFloatingPanel } from './floating.tsx';
export { Popover, type PopoverProps } from './popover.tsx';
