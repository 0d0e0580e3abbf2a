// Keys that belong to what has the focus. Those of the commands, with their names, stand in lib/commands/commands.json.

export const keys = {
  title: 'Keyboard',
  groups: [
    {
      name: 'In the library',
      keys: [
        ['↑ ↓', 'Move through the list'],
        ['Enter', 'Open'],
        ['→ ←', 'Unfold sub-agents or a group, and fold'],
        ['Space', 'Choose'],
        ['Shift ↑ ↓', 'Choose up to there'],
        ['Ctrl A', 'Choose all'],
        ['Shift F10', 'Menu'],
        ['Esc', 'Choose none, or clear the filter'],
      ],
    },
    {
      name: 'In the search',
      keys: [
        ['↑ ↓', 'Move through what was found'],
        ['→ ←', 'Every place of a session, or the best'],
        ['Enter', 'Open the place'],
        ['Alt C', 'Mind upper and lower case'],
        ['Alt R', 'Regular expression'],
        ['Esc', 'Back'],
      ],
    },
    {
      name: 'In the message',
      keys: [['Shift Enter', 'New line']],
    },
    {
      name: 'In the compaction review',
      keys: [
        ['↑ ↓', 'Move the cut, when it has the focus'],
        ['Home End', 'First and last place for it'],
      ],
    },
  ],
} as const;
