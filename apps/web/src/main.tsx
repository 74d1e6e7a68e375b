import './ui/theme/theme.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App, firstPage } from './app/app.tsx';
import { version } from './app/version.ts';
import { reporterToServer, setErrorReporter } from './lib/api-client/index.ts';
import { startMailLinks } from './lib/mail-link/index.ts';
import { startSession } from './lib/session/index.ts';
import { startTheme } from './lib/theme/index.ts';

// The content security policy forbids code made from strings, which Zod would otherwise try to use for speed.
z.config({ jitless: true });

setErrorReporter(reporterToServer(version));
startMailLinks();
startSession();
startTheme();

const root = document.getElementById('root');
// Errors before this are shown by the page itself. A transition renders in slices, between which the browser stays responsive.
if (root) void firstPage().finally(() => startTransition(() => createRoot(root).render(<App />)));
