package menu

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
)

func commandsOfPage(t *testing.T) ([]byte, list) {
	t.Helper()
	text, err := os.ReadFile("../../frontend/src/lib/commands/commands.json")
	if err != nil {
		t.Fatal(err)
	}
	var l list
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatal(err)
	}
	return text, l
}

func items(m *menu.Menu) []*menu.MenuItem {
	var all []*menu.MenuItem
	for _, item := range m.Items {
		if item.SubMenu != nil {
			all = append(all, items(item.SubMenu)...)
		} else if item.Type == menu.TextType && item.Role == 0 {
			all = append(all, item)
		}
	}
	return all
}

func roles(m *menu.Menu) []menu.Role {
	var found []menu.Role
	for _, item := range m.Items {
		if item.Role != 0 {
			found = append(found, item.Role)
		}
	}
	return found
}

// TestBuild chooses every item of every system's menus, and finds every command once.
func TestBuild(t *testing.T) {
	text, l := commandsOfPage(t)
	for _, goos := range []string{"darwin", "windows", "linux"} {
		t.Run(goos, func(t *testing.T) {
			var chosen []string
			quits := 0
			bar, err := Build(text, goos, func(id string) { chosen = append(chosen, id) }, func() { quits++ })
			if err != nil {
				t.Fatal(err)
			}
			natives := map[string]string{}
			for _, item := range items(bar.Menu) {
				item.Click(nil)
				if item.Accelerator == nil {
					if !strings.HasSuffix(item.Label, ")") {
						t.Errorf("%q shows no key", item.Label)
					}
					continue
				}
				key := keys.Stringify(item.Accelerator, goos)
				if other, taken := natives[key]; taken {
					t.Errorf("%q and %q have the same key %s", item.Label, other, key)
				}
				natives[key] = item.Label
			}
			for id, c := range l.Commands {
				want := 1
				if goos == "darwin" && c.Mac.Menu != nil && !*c.Mac.Menu {
					want = 0
				}
				if got := len(slices.DeleteFunc(slices.Clone(chosen), func(one string) bool { return one != id })); got != want {
					t.Errorf("%s was chosen %d times, want %d", id, got, want)
				}
			}
			for id, spot := range bar.Spots {
				chosen = nil
				bar.Items[spot.Menu].SubMenu.Items[spot.Item].Click(nil)
				if !slices.Equal(chosen, []string{id}) {
					t.Errorf("where %s is to stand %q does", id, chosen)
				}
			}
			wantRoles, wantQuits := []menu.Role(nil), 1
			if goos == "darwin" {
				wantRoles, wantQuits = []menu.Role{menu.AppMenuRole, menu.EditMenuRole, menu.WindowMenuRole}, 0
			}
			if got := roles(bar.Menu); !slices.Equal(got, wantRoles) {
				t.Errorf("roles %v, want %v", got, wantRoles)
			}
			if quits != wantQuits {
				t.Errorf("%d items quit, want %d", quits, wantQuits)
			}
		})
	}
}

// TestAccelerators holds the system's keys to what leaves typing alone: all have a modifier, or are function keys.
func TestAccelerators(t *testing.T) {
	_, l := commandsOfPage(t)
	for id, c := range l.Commands {
		natives := []string{c.Accelerator}
		if c.Mac.Accelerator != nil {
			natives = append(natives, *c.Mac.Accelerator)
		}
		for _, native := range natives {
			if native == "" {
				continue
			}
			a, err := keys.Parse(native)
			if err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			function := len(a.Key) > 1 && a.Key[0] == 'f'
			beyondShift := slices.ContainsFunc(a.Modifiers, func(m keys.Modifier) bool { return m != keys.ShiftKey })
			if !function && !beyondShift {
				t.Errorf("%s: %q would be taken from whoever types", id, native)
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":         `{`,
		"unknown command": `{"menus":[{"label":"File","items":["x"]}]}`,
		"bad accelerator": `{"menus":[{"label":"File","items":["x"]}],"commands":{"x":{"label":"X","keys":["x"],"accelerator":"Hyper+x"}}}`,
		"no key":          `{"menus":[{"label":"File","items":["x"]}],"commands":{"x":{"label":"X"}}}`,
	} {
		if _, err := Build([]byte(text), "linux", nil, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct {
		key  string
		mac  bool
		want string
	}{
		{"j", false, "J"},
		{"Shift+f", false, "Shift+F"},
		{"list:Delete", false, "Del"},
		{"review:$mod+Enter", false, "Ctrl+Enter"},
		{"review:$mod+Enter", true, "⌘↩"},
		{"list:Backspace", true, "⌫"},
		{"?", false, "?"},
	} {
		if got := shown(c.key, c.mac); got != c.want {
			t.Errorf("shown(%q, %v) = %q, want %q", c.key, c.mac, got, c.want)
		}
	}
}
