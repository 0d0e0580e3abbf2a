import { plural } from '../format';

export const messages = (n: number) => plural(n, 'message', 'messages');
