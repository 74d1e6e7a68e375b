import { RuleScreen } from './detail/rule.screen.tsx';
import { EditorScreen } from './editor/editor.screen.tsx';
import { editorSearch, ruleSearch, templateSearch } from './search.ts';
import { TemplatesScreen } from './templates/templates.screen.tsx';

export const editorPage = { screen: EditorScreen, read: editorSearch.parse };
export const rulePage = { screen: RuleScreen, read: ruleSearch.parse };
export const templatesPage = { screen: TemplatesScreen, read: templateSearch.parse };
