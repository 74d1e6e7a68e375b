export { lazyOverlay, type OverlayProps } from './lazy-overlay.tsx';
