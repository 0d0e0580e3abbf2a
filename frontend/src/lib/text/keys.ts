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
      name: 'In find',
      keys: [
        ['Enter', 'Next place'],
        ['Shift Enter', 'Place before'],
        ['Alt C', 'Mind upper and lower case'],
        ['Esc', 'Back to what was found'],
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
        ['→ ←', 'Next tab, when one has the focus'],
      ],
    },
    {
      name: 'In the ledger and in charts',
      keys: [
        ['↑ ↓', 'From row to row'],
        ['→ ←', 'From one to the next'],
        ['Home End', 'First and last'],
        ['Enter', 'Open the compaction'],
      ],
    },
  ],
} as const;
