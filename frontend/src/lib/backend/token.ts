const KEY = 'palimpsest.token';

/**
 * `palimpsest serve` prints an address that ends in #token=…; a fragment never leaves the browser. It is moved
 * out of the address bar at once, so that it is neither seen nor bookmarked nor shared.
 */
export function takeToken(): string {
  const match = /^#token=([^&]+)$/.exec(location.hash);
  if (match?.[1]) {
    storeToken(decodeURIComponent(match[1]));
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY) ?? '';
}

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/** People paste the whole address as often as the token alone. */
export function tokenIn(pasted: string): string {
  const text = pasted.trim();
  const match = /#token=([^&\s]+)/.exec(text);
  return match?.[1] ? decodeURIComponent(match[1]) : text;
}
