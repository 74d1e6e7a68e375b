export { CostCard } from './cost-card.tsx';
export { OverLimit } from './over-limit.tsx';
