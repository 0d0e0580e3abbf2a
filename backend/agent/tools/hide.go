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
	for _, key := range longestFirst(keys) {
		text = strings.ReplaceAll(text, key, removed)
	}
	return text
}

// hider does so for a text that comes in pieces. What may be the beginning of a key is held back until the next piece tells.
type hider struct {
	keys []string
	out  func(string)

	mu   sync.Mutex
	held string
}

func (h *hider) write(piece string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := hide(h.held+piece, h.keys)
	keep := 0
	for _, key := range h.keys {
		for n := min(len(text), len(key)-1); n > keep; n-- {
			if strings.HasSuffix(text, key[:n]) {
				keep = n
				break
			}
		}
	}
	h.tell(text[:len(text)-keep])
	h.held = text[len(text)-keep:]
}

// end tells what was held back, once no more comes.
func (h *hider) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tell(h.held)
	h.held = ""
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
