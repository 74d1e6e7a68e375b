import { smsSearch } from './search.ts';
import { SmsScreen } from './sms.screen.tsx';

export { composeHref } from './kept-selections.ts';
export { ServicesPanel } from './services/services.panel.tsx';
export { SmsOfSim } from './sms-of-sim.tsx';
export const smsPage = { screen: SmsScreen, read: smsSearch.parse };
