export { AnalysisScreen, type AnalysisScreenProps } from './screens/analysis.screen.tsx';
