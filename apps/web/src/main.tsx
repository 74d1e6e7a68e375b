import './ui/theme/theme.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app/app.tsx';
import { startSession } from './lib/session/index.ts';
import { startTheme } from './lib/theme/index.ts';

// The content security policy forbids code made of text, which Zod would otherwise try in order to be faster.
z.config({ jitless: true });

// Any hash segment in the address is removed at start (specification, section 2).
if (window.location.hash !== '' || window.location.href.endsWith('#')) {
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
}

startSession();
startTheme();

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
