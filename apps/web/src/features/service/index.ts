export { BundleType, CycleBar, OrderStatus, Quota } from './components/order-parts.tsx';
export { ServiceScreen, type ServiceScreenProps } from './service.screen.tsx';
