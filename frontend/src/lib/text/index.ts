import { agents } from './agents';
import { app } from './app';
import { band } from './band';
import { banner } from './banner';
import { bar } from './bar';
import { bulk } from './bulk';
import { commands } from './commands';
import { composer } from './composer';
import { connect } from './connect';
import { context } from './context';
import { damage } from './damage';
import { event } from './event';
import { fidelity } from './fidelity';
import { find } from './find';
import { folder } from './folder';
import { forget } from './forget';
import { fresh } from './fresh';
import { gone } from './gone';
import { home } from './home';
import { keys } from './keys';
import { ledger } from './ledger';
import { library } from './library';
import { link } from './link';
import { reading } from './reading';
import { notify } from './notify';
import { palette } from './palette';
import { review } from './review';
import { search } from './search';
import { settings } from './settings';
import { signIn } from './signIn';
import { statistics } from './statistics';
import { tool } from './tool';
import { transcript } from './transcript';
import { undo } from './undo';
import { retention } from './retention';
import { rules } from './rules';
import { usage } from './usage';

// Every text the app shows, in one place, ready to be translated: one file for each part of the window.

export const text = {
  app,
  bar,
  banner,
  signIn,
  settings,
  agents,
  home,
  ledger,
  library,
  statistics,
  transcript,
  fidelity,
  find,
  reading,
  tool,
  bulk,
  commands,
  composer,
  connect,
  folder,
  forget,
  fresh,
  gone,
  band,
  event,
  damage,
  link,
  context,
  review,
  keys,
  notify,
  palette,
  retention,
  rules,
  search,
  undo,
  usage,
} as const;
