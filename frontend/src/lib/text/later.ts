import { agents } from './agents';
import { damage } from './damage';
import { fidelity } from './fidelity';
import { flow } from './flow';
import { forget } from './forget';
import { gone } from './gone';
import { keeping } from './keeping';
import { keys } from './keys';
import { ledger } from './ledger';
import { nothing } from './nothing';
import { rules } from './rules';
import { statistics } from './statistics';
import { tool } from './tool';
import { usage } from './usage';

/** Texts of parts of the window that are read behind the first look at it, and so are these. */
export const later = {
  agents,
  damage,
  fidelity,
  flow,
  forget,
  gone,
  keeping,
  keys,
  ledger,
  nothing,
  rules,
  statistics,
  tool,
  usage,
} as const;
