export { RulesScreen } from './list/rules.screen.tsx';
export { useRuleWords } from './use-rule-words.ts';
