/** 98112 as 98,112. The browser's own takes 20 ms to be made, of a start that needs it for nothing else than this. */
export function count(n: number): string {
  return Number.isSafeInteger(n) ? String(n).replace(/\B(?=(\d{3})+$)/g, ',') : new Intl.NumberFormat('en').format(n);
}

/** 98,112 as 98k: for places where only the size matters. */
export function tokensShort(n: number): string {
  if (n < 1000) return String(n);
  if (n < 10_000) return `${trim(n / 1000)}k`;
  if (n < 999_500) return `${Math.round(n / 1000)}k`;
  return `${trim(n / 1_000_000)}M`;
}

/** Dollars, with as many digits as say something: $0.0042, $0.012, $1.23. */
export function cost(dollars: number): string {
  if (dollars === 0 || dollars >= 1) return `$${dollars >= 1000 ? count(Math.round(dollars)) : dollars.toFixed(2)}`;
  if (dollars < 0.00001) return '< $0.00001';
  return `$${dollars.toFixed(Math.max(2, 1 - Math.floor(Math.log10(dollars)))).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

/** 75 as 1 min 15 s. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** A sum, and whether there is more than that. */
export function atLeast(said: string, isPartial: boolean): string {
  return isPartial ? `≥ ${said}` : said;
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = n / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${trim(value)} ${units[unit]}`;
}

function trim(n: number): string {
  return n.toFixed(1).replace(/\.0$/, '');
}

export function plural(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** A folder's path without the slashes at its end, which make no difference, but for that of a root. */
export function plainFolder(path: string): string {
  let end = path.length;
  while (end > 1 && '\\/'.includes(path.charAt(end - 1)) && path.charAt(end - 2) !== ':') end--;
  return path.slice(0, end);
}

/** The last folder of a path, of either kind of system. */
export function lastFolder(path: string): string {
  const parts = path.split(/[\\/]+/).filter(Boolean);
  return parts.at(-1) ?? path;
}
