// Before the first paint: the theme chosen in this browser (entry `theme`), so that no page flashes in the other one.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'system';
} catch {
  // Storage is forbidden: the device's own choice holds.
}
