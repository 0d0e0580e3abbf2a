// An icon of Lucide's works out what it looks like each time it is shown, which in a list takes longer than the row it
// stands in. What it comes to is known when the page is built: only its size and its few other attributes are left.
const ICON = /@lucide\/svelte\/dist\/icons\/[\w-]+\.svelte$/;
const DATA = /const iconData = (\{.*\});/;

/** @param {string} text */
const quoted = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('{', '&#123;');

/** @param {[string, Record<string, string>][]} node */
function shapes(node) {
  return node.map(([tag, attributes]) => {
    const written = Object.entries(attributes).map(([name, value]) => `${name}="${quoted(value)}"`);
    return `<${tag} ${written.join(' ')} />`;
  });
}

/**
 * The component of an icon.
 * @param {string} source Lucide's own.
 */
export function staticIcon(source) {
  const data = DATA.exec(source)?.[1];
  if (!data) throw new Error('an icon of Lucide is not written as expected');
  return `<script lang="ts">
  let { size = 24, fill = 'none', class: name, role, 'aria-label': label } = $props();
</script>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width={size} height={size} {fill} class={name} {role}
  aria-label={label} aria-hidden={label ? undefined : 'true'} stroke="currentColor" stroke-width="2"
  stroke-linecap="round" stroke-linejoin="round">${shapes(JSON.parse(data).node).join('')}</svg>`;
}

/** @type {import('svelte/compiler').PreprocessorGroup} */
export const icons = {
  name: 'static icons',
  markup: ({ content, filename }) =>
    filename && ICON.test(filename) ? { code: staticIcon(content) } : { code: content },
};
