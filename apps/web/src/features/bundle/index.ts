export { BundleType, CycleBar, OrderStatus, Quota } from './components/order-parts.tsx';
export { ServiceScreen } from './services.screen.tsx';
