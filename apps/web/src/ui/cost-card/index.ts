export { CostCard } from './cost-card.tsx';
