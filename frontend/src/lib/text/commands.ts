// The names of the commands stand with their keys, in lib/commands/commands.json: the menus of the system read them too.

export const commands = {
  notNow: (label: string) => `“${label}” is not possible here`,
} as const;
