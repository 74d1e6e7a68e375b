export { SimDetailScreen } from './screens/sim-detail.screen.tsx';
export { SimListScreen } from './screens/sim-list.screen.tsx';
