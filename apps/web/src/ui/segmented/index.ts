export { Segmented, type SegmentedProps } from './segmented.tsx';
export { SegmentedLinks, type SegmentedLinksProps } from './segmented-links.tsx';
