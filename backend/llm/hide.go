package llm

import "strings"

// hider takes a key out of a text that comes in pieces: a server may repeat what it was sent, and an answer goes into the
// log. What may be the beginning of the key is held back until the next piece tells.
type hider struct {
	key  string
	held string
}

const hidden = "[key]"

// hide takes a key out of a whole text.
func hide(text, key string) string {
	if !IsSecret(key) {
		return text
	}
	return strings.ReplaceAll(text, key, hidden)
}

// next is what can be handed on once a piece has come.
func (h *hider) next(piece string) string {
	if !IsSecret(h.key) {
		return piece
	}
	text := hide(h.held+piece, h.key)
	keep := 0
	for n := min(len(text), len(h.key)-1); n > 0; n-- {
		if strings.HasSuffix(text, h.key[:n]) {
			keep = n
			break
		}
	}
	h.held = text[len(text)-keep:]
	return text[:len(text)-keep]
}

// tellingLength is how much of a secret is not shown at an end, either.
const tellingLength = 8

// rest is what was held back when no more comes. So much of a key that it is one for whoever finds it is not shown either.
func (h *hider) rest() string {
	held := h.held
	h.held = ""
	if len(held) >= tellingLength {
		return hidden
	}
	return held
}
