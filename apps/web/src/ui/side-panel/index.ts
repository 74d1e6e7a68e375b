export { SidePanelLayout, type SidePanelLayoutProps } from './side-panel-layout.tsx';
