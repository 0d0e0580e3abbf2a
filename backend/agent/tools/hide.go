package tools

import (
	"slices"
	"strings"
	"sync"
)

// removed stands where a key of the program's was.
const removed = "[key removed]"

// hide takes the program's own keys out of a text: a command may find one in a file or in another process, and what a call
// gives back goes into the log and to the model.
func hide(text string, keys []string) string {
	told, held := without(text, longestFirst(keys), false)
	return told + held
}

// without takes keys, the longest first, out of a text. With more to come, it holds back what may be the beginning of one: a
// key that begins with another is not known before all of it is there.
func without(text string, keys []string, more bool) (told, held string) {
	var out strings.Builder
	var begins [256]bool
	for _, key := range keys {
		begins[key[0]] = true
	}
	from := 0
	for at := nextOf(text, 0, &begins); at < len(text); {
		key := ""
		for _, k := range keys {
			if strings.HasPrefix(text[at:], k) {
				key = k
				break
			}
			if more && strings.HasPrefix(k, text[at:]) {
				out.WriteString(text[from:at])
				return out.String(), text[at:]
			}
		}
		next := at + 1
		if key != "" {
			out.WriteString(text[from:at] + removed)
			next = at + len(key)
			from = next
		}
		at = nextOf(text, next, &begins)
	}
	if from == 0 {
		return text, ""
	}
	return out.String() + text[from:], ""
}

// nextOf is the next place in a text, from one on, that holds what a key begins with; its end if there is none.
func nextOf(text string, from int, begins *[256]bool) int {
	for ; from < len(text); from++ {
		if begins[text[from]] {
			return from
		}
	}
	return len(text)
}

// hider does so for a text that comes in pieces.
type hider struct {
	keys []string
	out  func(string)

	mu   sync.Mutex
	held string
}

func (h *hider) write(piece string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	told, held := without(h.held+piece, longestFirst(h.keys), true)
	h.held = held
	h.tell(told)
}

// end tells what was held back, once no more comes.
func (h *hider) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	told := hide(h.held, h.keys) // which may hold a whole key, where a longer one begins with it
	h.held = ""
	h.tell(told)
}

func (h *hider) tell(text string) {
	if text != "" {
		h.out(text)
	}
}

// longestFirst are the keys that are any, so that one which begins with another goes as a whole.
func longestFirst(keys []string) []string {
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return key == "" })
	slices.SortFunc(keys, func(a, b string) int { return len(b) - len(a) })
	return keys
}
