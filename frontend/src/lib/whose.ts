import { agentName } from './library/entries';
import { text } from './text';

/** Whose a session is, for a person: another agent's, by its name, or one's own. */
export const whose = (agent: string): string => (agent === 'palimpsest' ? text.library.own : agentName(agent));
