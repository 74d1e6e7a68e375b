export { HeatmapScreen } from './screens/heatmap.screen.tsx';
