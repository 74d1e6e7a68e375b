import { RuleScreen } from './detail/rule.screen.tsx';
import { EditorScreen } from './editor/editor.screen.tsx';
import { editorSearch, ruleSearch } from './search.ts';

export const editorPage = { screen: EditorScreen, read: editorSearch.parse };
export const rulePage = { screen: RuleScreen, read: ruleSearch.parse };
