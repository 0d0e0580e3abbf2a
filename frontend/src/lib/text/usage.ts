import { plural } from '../format';

export const usage = {
  in: (tokens: string) => `${tokens} in`,
  out: (tokens: string) => `${tokens} out`,
  label: (what: string) => `Used: ${what}`,
  requests: (n: number) => plural(n, 'request', 'requests'),
  input: (tokens: string) => `${tokens} tokens in`,
  cacheRead: (tokens: string) => `${tokens} tokens from the cache`,
  cacheWrite: (tokens: string) => `${tokens} tokens into the cache`,
  output: (tokens: string) => `${tokens} tokens out`,
  untold: (n: number, of: number, what: string) => `${n} of ${plural(of, 'request', 'requests')} did not tell ${what}`,
  kinds: {
    input: 'its tokens in',
    output: 'its tokens out',
    cacheRead: 'its tokens from the cache',
    cacheWrite: 'its tokens into the cache',
    cost: 'its cost',
  },
  atLeast: (what: string) => `at least ${what}`,
  cost: (dollars: string) => `${dollars} US dollars`,
} as const;
