export { AnalysisScreen } from './screens/analysis.screen.tsx';
