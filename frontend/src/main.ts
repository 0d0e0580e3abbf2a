import { createBackend } from './lib/backend';
import { ahead } from './lib/backend/ahead';
import { sayUnread } from './unread';

// What is shown first takes the program longest: it is asked for before the window is read, for which this script stays small.
const program = createBackend();
// The address is looked at once the token was taken from it.
const backend = ahead(program, location.hash);
void import('./page').then(({ show }) => {
  // Nothing of it can be used without what it looks like.
  const isStyled = getComputedStyle(document.documentElement).getPropertyValue('--ink') !== '';
  if (isStyled) show(backend);
  else sayUnread();
}, sayUnread);
