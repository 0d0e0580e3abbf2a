/**
 * Playwright asks at each call where it was called from, and has every function on the way there looked up in the maps of what was
 * compiled: a sixth of what its own process does. A place in a file says the same each time.
 */
const { prepareStackTrace } = Error;
const lines = new Map<string, string>();

if (prepareStackTrace) {
  Error.prepareStackTrace = (error, frames) => {
    const head = String(prepareStackTrace(error, []));
    const say = (frame: NodeJS.CallSite) => String(prepareStackTrace(error, [frame])).slice(head.length);
    const said = frames.map((frame) => {
      const file = frame.getFileName();
      if (!file) return say(frame);
      const place = `${file}:${frame.getPosition()}`;
      const line = lines.get(place) ?? say(frame);
      lines.set(place, line);
      return line;
    });
    return head + said.join('');
  };
}
