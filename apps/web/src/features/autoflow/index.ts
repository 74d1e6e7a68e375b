export { RulesScreen } from './list/rules.screen.tsx';
