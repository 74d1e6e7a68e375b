export { RulesScreen } from './list/rules.screen.tsx';
export { useRuleTexts } from './use-rule-texts.ts';
