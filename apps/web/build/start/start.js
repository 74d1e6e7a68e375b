// Before the first paint, and before any other script: the theme that was chosen in this browser, which frame is drawn,
// and the files that this page will need, so that they all arrive in one round.
((files) => {
  const { dataset } = document.documentElement;
  const [, path, page = ''] = location.pathname.split('/');
  let stored = {};
  try {
    stored = { ...localStorage };
  } catch {
    // Storage is forbidden: the device's own choice holds, and nobody is signed in.
  }
  const inside = Boolean(stored.token) && page !== 'login' && page !== 'diagnose';
  dataset.theme = stored.theme ?? 'system';
  dataset.start = inside ? 'console' : 'public';
  if (inside && /"collapsed":true/.test(stored.menuState)) dataset.start = 'collapsed';
  const words = files.words[path] ?? files.words[stored.lang] ?? [];
  const wanted = inside
    ? [...files.console, ...(files.pages[page] ?? []), ...words]
    : [...files.public, ...words.slice(0, 1)];
  for (const file of wanted) {
    const link = document.createElement('link');
    link.rel = file.endsWith('.js') ? 'modulepreload' : 'preload';
    link.href = `/${file}`;
    if (file.endsWith('.css')) link.as = 'style';
    if (file.endsWith('.woff2')) link.as = 'font';
    link.crossOrigin = '';
    document.head.append(link);
  }
})(FILES);
