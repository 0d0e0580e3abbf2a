import { createBackend } from './lib/backend';
import { ahead } from './lib/backend/ahead';
import { sayUnread } from './unread';

// What is shown first takes the program longest: it is asked for before the window is read, for which this script stays small.
const program = createBackend();
// The address is looked at once the token was taken from it.
const { backend, answered } = ahead(program, location.hash);
// The window with what it is about to show is made and laid out once; without, it would be twice, which takes longer than most answers do.
const LONGEST_MS = 150;
void import('./page').then(async ({ show }) => {
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);
  // Nothing of it can be used without what it looks like.
  const isStyled = getComputedStyle(document.documentElement).getPropertyValue('--ink') !== '';
  if (isStyled) show(backend);
  else sayUnread();
}, sayUnread);
