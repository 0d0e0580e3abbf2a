import { app } from './app';
import { band } from './band';
import { banner } from './banner';
import { bar } from './bar';
import { bulk } from './bulk';
import { commands } from './commands';
import { composer } from './composer';
import { connect } from './connect';
import { context } from './context';
import { event } from './event';
import { find } from './find';
import { folder } from './folder';
import { fresh } from './fresh';
import { home } from './home';
import { library } from './library';
import { link } from './link';
import { reading } from './reading';
import { notify } from './notify';
import { palette } from './palette';
import { review } from './review';
import { search } from './search';
import { settings } from './settings';
import { signIn } from './signIn';
import { transcript } from './transcript';
import { undo } from './undo';
import { retention } from './retention';

// Every text the app shows, in one place, ready to be translated: one file for each part of the window. What the first look at it does
// without stands in later.ts.

export const text = {
  app,
  bar,
  banner,
  signIn,
  settings,
  home,
  library,
  transcript,
  find,
  reading,
  bulk,
  commands,
  composer,
  connect,
  folder,
  fresh,
  band,
  event,
  link,
  context,
  review,
  notify,
  palette,
  retention,
  search,
  undo,
} as const;
