// Package menu builds the window's menus from the page's own list of commands, so that a name or a key is written once.
//
// The page does what an item says: a menu only tells it which one was chosen. What can't be done at the moment is greyed out
// by package desktop, which asks the system by the place of an item: for Wails to change one is to build the whole bar anew.
// That puts a second bar below the first on Linux, leaks the old one with its ids, of which there are 65,536, on Windows, and
// closes an open menu on macOS, where nothing is greyed out therefore and the page says that something is not possible.
package menu

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
)

// Event is the name of the event that carries the id of a chosen command to the page.
const Event = "palimpsest:command"

const separator = "-"

// list is what the page's file says, as far as menus need it.
type list struct {
	Menus []struct {
		Label string
		Items []string
	}
	Commands map[string]command
}

type command struct {
	Label       string
	Keys        []string
	Accelerator string
	Mac         struct {
		Keys        []string
		Accelerator *string
		Menu        *bool
	}
}

// Spot is where an item stands: its menu in the bar, and its place in that menu, separators counted, both from 0.
type Spot struct{ Menu, Item int }

// Bar is the menus of a window.
type Bar struct {
	*menu.Menu
	// Spots are where the commands stand, by their ids.
	Spots map[string]Spot
}

// Build makes the menus of goos ("darwin", "windows", "linux") from the page's commands. Choosing an item calls chosen
// with its id; quit ends the program, where the system has no item of its own for that.
func Build(commands []byte, goos string, chosen func(id string), quit func()) (*Bar, error) {
	var l list
	if err := json.Unmarshal(commands, &l); err != nil {
		return nil, fmt.Errorf("reading the list of commands: %w", err)
	}
	bar := &Bar{menu.NewMenu(), map[string]Spot{}}
	mac := goos == "darwin"
	if mac {
		bar.Append(menu.AppMenu())
	}
	for i, m := range l.Menus {
		sub := bar.AddSubmenu(m.Label)
		at := len(bar.Items) - 1
		put := func(id, label string, key *keys.Accelerator) {
			bar.Spots[id] = Spot{at, len(sub.Items)}
			sub.AddText(label, key, func(*menu.CallbackData) { chosen(id) })
		}
		if err := fill(sub, m.Items, l.Commands, mac, put); err != nil {
			return nil, err
		}
		switch {
		case i == 0 && mac:
			// Without the Edit menu macOS has no copy and paste in text fields.
			bar.Append(menu.EditMenu())
		case i == 0:
			sub.AddSeparator()
			sub.AddText("Quit", keys.CmdOrCtrl("q"), func(*menu.CallbackData) { quit() })
		case i == len(l.Menus)-2 && mac:
			bar.Append(menu.WindowMenu())
		}
	}
	return bar, nil
}

func fill(sub *menu.Menu, items []string, commands map[string]command, mac bool, put func(id, label string, key *keys.Accelerator)) error {
	open := false // whether something stands above, which a separator would set apart
	apart := false
	for _, id := range items {
		if id == separator {
			apart = open
			continue
		}
		c, ok := commands[id]
		if !ok {
			return fmt.Errorf("a menu names the command %q, which there is not", id)
		}
		if mac && c.Mac.Menu != nil && !*c.Mac.Menu {
			continue
		}
		label, accelerator, err := c.item(mac)
		if err != nil {
			return fmt.Errorf("the command %q: %w", id, err)
		}
		if apart {
			sub.AddSeparator()
		}
		open, apart = true, false
		put(id, label, accelerator)
	}
	return nil
}

// item returns what stands in the menu. A key without Ctrl or Cmd must not be the system's, which would take it from
// whoever types; it stands beside the name instead.
func (c command) item(mac bool) (string, *keys.Accelerator, error) {
	native, all := c.Accelerator, c.Keys
	if mac && c.Mac.Accelerator != nil {
		native = *c.Mac.Accelerator
	}
	if mac && c.Mac.Keys != nil {
		all = c.Mac.Keys
	}
	if native != "" {
		accelerator, err := keys.Parse(native)
		if err != nil {
			return "", nil, fmt.Errorf("its accelerator: %w", err)
		}
		return c.Label, accelerator, nil
	}
	if len(all) == 0 {
		return "", nil, fmt.Errorf("it has no key")
	}
	return fmt.Sprintf("%s   (%s)", c.Label, shown(all[0], mac)), nil, nil
}

// shown is a key of the page as a user reads it.
func shown(key string, mac bool) string {
	if _, scoped, ok := strings.Cut(key, ":"); ok {
		key = scoped
	}
	names := map[string]string{"$mod": "Ctrl", "ArrowUp": "↑", "ArrowDown": "↓", "Escape": "Esc", "Delete": "Del"}
	joint := "+"
	if mac {
		names = map[string]string{
			"$mod": "⌘", "Meta": "⌘", "Alt": "⌥", "Shift": "⇧", "ArrowUp": "↑", "ArrowDown": "↓",
			"Enter": "↩", "Backspace": "⌫", "Delete": "⌦", "Escape": "⎋",
		}
		joint = ""
	}
	parts := strings.Split(key, "+")
	for i, part := range parts {
		if name, ok := names[part]; ok {
			parts[i] = name
		} else if len(part) == 1 {
			parts[i] = strings.ToUpper(part)
		}
	}
	return strings.Join(parts, joint)
}
