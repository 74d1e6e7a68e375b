export { SimDetailScreen, type SimDetailScreenProps } from './screens/sim-detail.screen.tsx';
export { SimListScreen, type SimListScreenProps } from './screens/sim-list.screen.tsx';
