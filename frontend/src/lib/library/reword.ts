import { piecesOf, type Piece } from './pieces';

const isAgent = ({ name, not }: Piece): boolean => name === 'agent' && !not;

/** The agent that the query asks for. */
export function agentIn(query: string): string | null {
  return piecesOf(query).find(isAgent)?.value.toLowerCase() || null;
}

/** The query with another agent, or with none. */
export function withAgent(query: string, agent: string | null): string {
  const named = agent && (/[\s"]/.test(agent) ? `"${agent.replaceAll('"', '""')}"` : agent);
  const rest = writtenIn(piecesOf(query).filter((piece) => !isAgent(piece)));
  return [...(named ? [`agent:${named}`] : []), ...rest].join(' ');
}

const writtenIn = (pieces: readonly Piece[]): string[] => pieces.map(({ written }) => written);

export function hasWord(query: string, word: string): boolean {
  return writtenIn(piecesOf(query)).includes(word);
}

/** The query with a word, or without it. */
export function withWord(query: string, word: string, wanted: boolean): string {
  return [...(wanted ? [word] : []), ...writtenIn(piecesOf(query)).filter((other) => other !== word)].join(' ');
}
