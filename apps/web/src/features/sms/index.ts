import { smsSearch } from './search.ts';
import { SmsScreen } from './sms.screen.tsx';

export { ServicesPanel } from './services/services.panel.tsx';
export { SimConversation } from './sim-conversation.tsx';
export { composeHref } from './stored-selections.ts';
export const smsPage = { screen: SmsScreen, read: smsSearch.parse };
